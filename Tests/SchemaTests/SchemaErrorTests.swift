import Diagnostics
import Schema
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// The words and carets of every error in schema text, as a script to be read: text after `> `, then what is said of it.
struct SchemaErrorTests {
  @Test func errorsReadAsRecorded() throws {
    let path = goldenPath("errors.txt")
    let recorded = try #require(read(path), "no golden script at \(path)")
    var written = ""
    for block in recorded.split(separator: "\n\n", omittingEmptySubsequences: true) {
      let lines = block.split(separator: "\n", omittingEmptySubsequences: false)
      let comment = lines.prefix { $0.hasPrefix("#") }
      let input = lines.dropFirst(comment.count).prefix { $0.hasPrefix(">") }
      let source = input.map { $0.hasPrefix("> ") ? String($0.dropFirst(2)) : "" }.joined(separator: "\n")
      let output: String
      do {
        _ = try SchemaText.parse(source)
        output = "(no error)"
      } catch {
        output = DiagnosticRenderer().text(error)
      }
      written += (comment + input + ["---"]).joined(separator: "\n") + "\n" + output + "\n\n"
    }
    if environment("UPDATE_GOLDENS") != nil { try #require(write(written, path)) }
    #expect(read(path) == written)
  }

  @Test func manyAtOnceInTheOrderOfTheText() {
    do {
      _ = try SchemaText.parse("@Model struct A { var x: Strin; let y: [[Int]]; var in: Int }")
      Issue.record("this should not be readable")
    } catch {
      #expect(error.diagnostics.map(\.code.name) == ["unknown-type", "unsupported-element", "reserved-word"])
    }
  }

  @Test func onlyTheFirstErrorsOfManyAreTold() {
    do {
      _ = try SchemaText.parse("@Model struct A { " + String(repeating: "@X(1) ", count: 2000) + "var a: Int }")
      Issue.record("this should not be readable")
    } catch {
      #expect(error.diagnostics.count == 20)
      #expect(error.diagnostics.last?.notes.last?.hasSuffix("more errors") == true)
    }
  }

  /// Whatever is cut out of, doubled in or put into a schema, reading it ends, with a schema or with errors.
  @Test func noTextStopsTheReader() {
    let text = Array(
      #"""
      @Model struct P { var lo: Double = -1.5e3; var la: Double } /* c */
      @Model public struct Q: Codable { #Index<Q>([\.t], .geo([\.p])) #Unique<Q>([\.c])
        @Attribute(.unique, originalName: "x\u{e9}\"") var c: String = "a\(1 + 2)b", d = [1, 2]
        var t: Date = Date(timeIntervalSince1970: 0); var p: P?; var l: Link<Q>?
        @Inverse(\Q.l) var b: LinkingObjects<Q>; var u = UUID(uuidString: "x")!; func f() { } }
      """#.utf8)
    var random = SeededRandom(seed: 20_261_121)
    for _ in 0..<3000 {
      var bytes = text
      for _ in 0...random.below(3) {
        let at = random.below(bytes.count)
        let end = min(bytes.count, at + random.below(6))
        switch random.below(3) {
        case 0: bytes.removeSubrange(at..<end)
        case 1: bytes.insert(contentsOf: bytes[at..<end], at: at)
        default: bytes[at] = UInt8(random.below(128))
        }
      }
      _ = try? SchemaText.parse(String(decoding: bytes, as: UTF8.self))
    }
    for end in text.indices { _ = try? SchemaText.parse(String(decoding: text[..<end], as: UTF8.self)) }
  }

  @Test(arguments: ["[", "(", "{", "<", "Optional<", "[String:", "A.", "-", "@Attribute(", "\\.", "\"\\(", "/*"])
  func nestingEndsInAnError(piece: String) {
    let deep = String(repeating: piece, count: 10_000)
    for text in ["@Model struct A { var x: \(deep)", "@Model struct A { var x = \(deep)", deep, "#Index(\(deep)"] {
      _ = try? SchemaText.parse(text)
    }
  }

  private func goldenPath(_ name: String, file: String = #filePath) -> String {
    file.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/Goldens/" + name
  }
}

func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

func read(_ path: String) -> String? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
  return String(decoding: bytes, as: UTF8.self)
}

func write(_ text: String, _ path: String) -> Bool {
  guard let file = fopen(path, "w") else { return false }
  defer { fclose(file) }
  let bytes = Array(text.utf8)
  return fwrite(bytes, 1, bytes.count, file) == bytes.count
}
