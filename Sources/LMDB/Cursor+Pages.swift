extension Cursor {
  /// The number of values from the position to the end of its page, or `backward` to its beginning, of those keys that
  /// `admits` admits, and whether keys are left behind that page that may be admitted too; the position is then the first
  /// of them. `admits` must admit no key after one that it refuses, in that direction.
  ///
  /// A committed page tells how many values each of its keys has without going to them. nil where the page cannot be
  /// looked at: there is no position, or the transaction is one that writes and whose pages are elsewhere.
  package func countPage(
    backward: Bool = false, while admits: (UnsafeRawBufferPointer) -> Bool
  ) throws(LMDBError) -> (count: Int, goesOn: Bool)? {
    guard let (page, entry) = try committedPage() else { return nil }
    let first = backward ? page.admitted(to: entry, while: admits) : entry
    let end = backward ? entry + 1 : page.admitted(from: entry, while: admits)
    // The key at the position is one that is admitted: where others say no, they are not in order.
    guard first < end else { throw page.damage(in: transaction.environment) }
    let count = page.valueCount(first..<end)
    if backward ? first > 0 : end < page.count { return (count, false) }
    return (count, try leave(page, backward: backward))
  }

  /// Reads the numbers from the position to the end of its page, or `backward` to its beginning, of those keys that
  /// `admits` admits, into `room`, and says how many they are and whether there is more; the position is then the first
  /// key that was not read. `admits` must admit no key after one that it refuses, in that direction.
  ///
  /// Reading what lies side by side takes a fraction of going from key to key. nil where the key at the position has so
  /// many numbers that they lie on other pages, or where the page cannot be looked at, as for counting.
  package func readPage(
    into room: UnsafeMutableBufferPointer<UInt64>, backward: Bool = false,
    while admits: (UnsafeRawBufferPointer) -> Bool
  ) throws(LMDBError) -> (count: Int, goesOn: Bool)? {
    guard database.options.contains(.integerSet), let (page, entry) = try committedPage() else { return nil }
    let first = backward ? page.admitted(to: entry, while: admits) : entry
    let end = backward ? entry + 1 : page.admitted(from: entry, while: admits)
    // The key at the position is one that is admitted: where others say no, they are not in order.
    guard first < end else { throw page.damage(in: transaction.environment) }
    let (count, next) =
      backward ? page.read((first..<end).reversed(), into: room) : page.read(first..<end, into: room)
    if let next {
      if next == entry { return nil }
      try move(to: next, of: page)
      return (count, true)
    }
    if backward ? first > 0 : end < page.count { return (count, false) }
    return (count, try leave(page, backward: backward))
  }

  /// The page of the position and which of its entries that is.
  private func committedPage() throws(LMDBError) -> (page: LeafPage, entry: Int)? {
    guard transaction is ReadTransaction, database.options.contains(.dupSort),
      LeafPage.isFound(pageSize: transaction.environment.pageSize), let entry = try current(),
      let page = LeafPage(around: entry.key, pageSize: transaction.environment.pageSize),
      let first = page.index(of: entry.key)
    else { return nil }
    return (page, first)
  }

  /// Goes to the first key after a page, or to the last one before it; whether there is one.
  private func leave(_ page: LeafPage, backward: Bool = false) throws(LMDBError) -> Bool {
    try move(to: backward ? 0 : page.count - 1, of: page)
    return try (backward ? previousKey() : nextKey()) != nil
  }

  /// Goes to an entry of the page of the position, for which LMDB need not search the tree. Where another one is found,
  /// keys are not in order or have no bytes, and whoever went on from there might come here again, for ever.
  private func move(to entry: Int, of page: LeafPage) throws(LMDBError) {
    let key = page.key(entry)
    guard let found = try seek(key), found.key.baseAddress == key.baseAddress else {
      throw page.damage(in: transaction.environment)
    }
  }
}
