internal import Storage

/// The numbers that the texts of a table's dictionaries have, by their codes. It does not know who numbers texts.
final class TableCodeMap {
  /// By the dictionary's number; none yet of dictionaries that were not met.
  private var numbers: [[UInt32]] = []
  /// Whether all numbers of a dictionary were found to be known, which they stay.
  private var areKnown: [Bool] = []

  /// Lends the number of each code of a cluster's dictionary, and how many codes there are.
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

  /// Whether `isKnown` is true of the numbers of all texts of a cluster's dictionary, which have been numbered.
  func areKnown(ofDictionary column: UnsafePointer<RawColumn>, _ isKnown: (UInt32) -> Bool) -> Bool {
    let dictionary = Int(column.pointee.base)
    guard dictionary < numbers.count, !numbers[dictionary].isEmpty else { return false }
    if areKnown[dictionary] { return true }
    areKnown[dictionary] = numbers[dictionary].allSatisfy(isKnown)
    return areKnown[dictionary]
  }
}
