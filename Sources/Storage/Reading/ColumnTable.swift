internal import CXXHash
internal import Schema
internal import Synchronization

/// A column of all clusters of a table as raw memory, with the dictionaries of its strings.
///
/// Chunks that have not been validated have only their range; a later table may contain them.
@usableFromInline package final class ColumnTable: @unchecked Sendable {
  /// The column in each cluster. For strings with a dictionary, `base` is the dictionary's number.
  @usableFromInline package let rows: UnsafeMutablePointer<RawColumn>
  /// The number of clusters.
  @usableFromInline package let count: Int
  /// The distinct dictionaries.
  package let dictionaries: [TextBlock]
  private let unchecked: Int
  /// The number of scans that used it, and the number after which it should be rebuilt.
  private let uses = Atomic<Int>(0)
  private let lifetime: Int

  /// More dictionaries are not distinguished.
  private static let mostDictionaries = 256

  /// The column at a position of `StoredEntity.columns`, using an earlier table for validated clusters.
  init(_ index: Int, of table: ClusterTable, _ context: ClusterContext, after known: ColumnTable?) throws(StoreError) {
    count = table.count
    rows = .allocate(capacity: max(1, table.count))
    var dictionaries = known?.dictionaries ?? []
    lifetime = known.map { $0.lifetime * 2 } ?? 1
    var numbers: [UInt64: Int] = [:]
    for (number, block) in dictionaries.enumerated() { numbers[Self.hash(block)] = number }
    let isText = context.column(index).pointee.type == .string
    var unchecked = 0
    for row in 0..<count {
      if let known, known.rows[row].layout != .unchecked {
        rows[row] = known.rows[row]
        continue
      }
      var column: RawColumn
      do throws(StoreError) {
        column = try table.view(row, context).fixedOrUnchecked(index)
      } catch {
        // Damage is reported when the column is read.
        column = .other(UnsafeRawPointer(rows))
      }
      if column.layout == .unchecked { unchecked += 1 }
      if column.layout == .codes {
        let block = isText ? column.dictionary(isASCII: false) : nil
        column = block.flatMap { Self.enter($0, &dictionaries, &numbers) }.map(column.numbered) ?? .other(column.values)
      }
      rows[row] = column
    }
    self.unchecked = unchecked
    self.dictionaries = dictionaries
  }

  deinit { rows.deallocate() }

  /// Counts a use. Returns whether further clusters have probably been validated since.
  var isOutdated: Bool {
    unchecked > 0 && uses.add(1, ordering: .relaxed).newValue >= lifetime
  }

  /// The number of a dictionary; nil if there are too many.
  private static func enter(
    _ block: TextBlock, _ dictionaries: inout [TextBlock], _ numbers: inout [UInt64: Int]
  ) -> Int? {
    let hash = hash(block)
    if let known = numbers[hash], dictionaries[known].isSame(as: block) { return known }
    guard dictionaries.count < mostDictionaries else { return nil }
    numbers[hash] = dictionaries.count
    dictionaries.append(block)
    return dictionaries.count - 1
  }

  private static func hash(_ block: TextBlock) -> UInt64 { XXH3_64bits(block.bytes, block.byteCount) }
}

extension TextBlock {
  /// Whether both have the same strings in the same order; each string is followed by a separator.
  fileprivate func isSame(as other: TextBlock) -> Bool {
    count == other.count
      && UnsafeRawBufferPointer(start: bytes, count: byteCount)
        .elementsEqual(UnsafeRawBufferPointer(start: other.bytes, count: other.byteCount))
  }
}
