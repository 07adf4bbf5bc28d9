internal import Storage

/// The numbers of the strings in a table's dictionaries, by code. It does not depend on how strings are numbered.
final class TableCodeMap {
  /// Numbers by dictionary; empty for a dictionary that has not been read.
  private var numbers: [[UInt32]] = []
  /// Whether all numbers of a dictionary were found to be known. They stay known.
  private var areKnown: [Bool] = []

  /// Calls `body` with the number of each code in a cluster's dictionary, and the number of codes.
  func withNumbers(
    ofDictionary column: UnsafePointer<RawColumn>, in table: ColumnTable,
    numbering: (TextBlock) throws -> [UInt32], _ body: (UnsafePointer<UInt32>, Int) -> Void
  ) rethrows {
    let dictionary = Int(column.pointee.base)
    if numbers.count < table.dictionaries.count {
      let more = table.dictionaries.count - numbers.count
      numbers += [[UInt32]](repeating: [], count: more)
      areKnown += [Bool](repeating: false, count: more)
    }
    if numbers[dictionary].isEmpty {
      numbers[dictionary] = try numbering(table.dictionaries[dictionary])
    }
    numbers[dictionary].withUnsafeBufferPointer { numbers in
      if let base = numbers.baseAddress { body(base, numbers.count) }
    }
  }

  /// Whether `isKnown` returns true for the numbers of all strings in a cluster's dictionary. Returns false if they are
  /// not numbered yet.
  func areKnown(ofDictionary column: UnsafePointer<RawColumn>, _ isKnown: (UInt32) -> Bool) -> Bool {
    let dictionary = Int(column.pointee.base)
    guard dictionary < numbers.count, !numbers[dictionary].isEmpty else { return false }
    if areKnown[dictionary] { return true }
    areKnown[dictionary] = numbers[dictionary].allSatisfy(isKnown)
    return areKnown[dictionary]
  }
}
