import Foundation
import Schema
import Testing

@testable import Storage

/// The article about the file format has the numbers of the code.
@Suite struct FileFormatArticleTests {
  private static let article = URL(filePath: #filePath).appending(path: "../../../").standardized
    .appending(path: "Sources/ObjectStore/ObjectStore.docc/FileFormat.md")

  /// The cells of all rows of the tables.
  private static func rows() throws -> [[String]] {
    try String(contentsOf: article, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  @Test func everyEncodingIsListed() throws {
    let rows = try Self.rows()
    for number in UInt8.min...UInt8.max {
      guard let encoding = ChunkEncoding(rawValue: number) else { continue }
      #expect(rows.contains { $0.starts(with: ["`\(encoding)`", "\(number)"]) }, "\(encoding)")
    }
    let listed = rows.filter { $0.count == 3 && $0[0].hasPrefix("`") && Int($0[1]) != nil }.count
    let encodings = (UInt8.min...UInt8.max).count { ChunkEncoding(rawValue: $0) != nil }
    #expect(listed == encodings + ChunkFlags.known.rawValue.nonzeroBitCount)
  }

  @Test func everyFlagIsListed() throws {
    let rows = try Self.rows()
    let flags: [(String, ChunkFlags)] = [
      ("nulls", .nulls), ("nan", .nan), ("ascii", .ascii), ("elsewhere", .elsewhere), ("range", .range),
      ("outOfLine", .outOfLine), ("keyed", .keyed),
    ]
    #expect(flags.reduce(into: ChunkFlags()) { $0.formUnion($1.1) } == .known)
    for (name, flag) in flags {
      #expect(rows.contains { $0.starts(with: ["`\(name)`", "\(flag.rawValue)"]) }, "\(name)")
    }
  }

  @Test func theFieldsAreWhereTheCodeHasThem() throws {
    typealias Header = ClusterFormat.Header
    typealias Entry = ClusterFormat.Entry
    let rows = try Self.rows()
    let fields: [(Int, String)] = [
      (Header.magic, "magic"), (Header.version, "cluster format version"), (Header.columnCount, "number of columns"),
      (Header.checksum, "checksum"), (Header.entity, "entity number"), (Header.directoryLength, "directory length"),
      (Header.number, "cluster number"), (Header.transaction, "number of the transaction"),
      (Header.totalLength, "total length"), (Header.presence, "presence mask"),
      (ClusterFormat.headerSize, "the directory: one entry of \(ClusterFormat.entrySize) bytes"),
      (Entry.number, "column number"), (Entry.encoding, "encoding"), (Entry.type, "type"), (Entry.flags, "flags"),
      (Entry.place, "offset of the chunk"), (Entry.length, "length of the chunk"),
      (Entry.checksum, "checksum of the chunk"), (Entry.nullCount, "number of nils"), (Entry.minimum, "minimum"),
      (Entry.maximum, "maximum"), (ElementBlock.headerSize, "with flag \(ElementBlock.nilsFlag)"),
    ]
    for (offset, field) in fields {
      #expect(rows.contains { $0.count == 2 && $0[0] == "\(offset)" && $0[1].hasPrefix(field) }, "\(offset) \(field)")
    }
  }

  @Test func theLimitsAreThoseOfTheCode() throws {
    let text = try String(contentsOf: Self.article, encoding: .utf8).replacing("\n", with: " ")
    let magic = String(ClusterFormat.magic, radix: 16, uppercase: true)
    let phrases = [
      "0x\(magic)", "The format has the version \(CatalogHeader.knownFormat).",
      "cluster format version `u16`, \(ClusterFormat.version)",
      "more than \(ClusterFormat.longestInlineText) bytes", "which is \(ClusterFormat.longestRangeText) bytes at most",
      "first \(IndexKey.keptLength) bytes", "\(IndexKey.shortenedLength) bytes", "Key, \(TrigramBlock.keyLength) bytes",
      "Value, \(TrigramBlock.limit) bytes at most", "more than \(TrigramText.longestRegular) scalars",
      "exponent \(NumberBlock.exponents.lowerBound) to \(NumberBlock.exponents.upperBound)",
      "exponent \(NumberBlock.exactExponents.lowerBound) to \(NumberBlock.exactExponents.upperBound)",
    ]
    for phrase in phrases { #expect(text.contains(phrase), "\(phrase)") }
    for type in ScalarType.allCases {
      let name = type.rawValue.prefix(1).uppercased() + type.rawValue.dropFirst()
      #expect(text.lowercased().contains("\(type.code) \(name.lowercased())"), "\(name)")
    }
  }
}
