internal import CXXHash
internal import Schema
internal import Synchronization

/// A column of all clusters of a table as raw memory, with the dictionaries of its texts.
///
/// Chunks that nobody has checked yet are in it with their range only; a later table has more of them.
@usableFromInline package final class ColumnTable: @unchecked Sendable {
  /// The column in each cluster. Of texts with a dictionary `base` is the dictionary's number.
  @usableFromInline package let rows: UnsafeMutablePointer<RawColumn>
  /// How many clusters.
  @usableFromInline package let count: Int
  /// Those that differ.
  package let dictionaries: [TextBlock]
  private let unchecked: Int
  /// How many scans used it, and after how many it is worth looking again.
  private let uses = Atomic<Int>(0)
  private let lifetime: Int

  /// More dictionaries are not distinguished.
  private static let mostDictionaries = 256

  /// The column at a position of `StoredEntity.columns`, with what an earlier table says of clusters that were checked.
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
        // What is damaged is told by whoever needs it.
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

  /// Counts a use; whether clusters have been checked since that it does not know of, probably.
  var isOutdated: Bool {
    unchecked > 0 && uses.add(1, ordering: .relaxed).newValue >= lifetime
  }

  /// The number of a dictionary; nil where there are too many.
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
  /// Whether both have the same texts in the same order: after each there is a byte that no text has.
  fileprivate func isSame(as other: TextBlock) -> Bool {
    count == other.count
      && UnsafeRawBufferPointer(start: bytes, count: byteCount)
        .elementsEqual(UnsafeRawBufferPointer(start: other.bytes, count: other.byteCount))
  }
}
