extension Cursor {
  /// The number of values from the position to the end of its page, or `backward` to its start, of those keys that
  /// `admits` accepts, and whether keys that may be accepted are left beyond that page; the position is then the first
  /// of them. In that direction, `admits` must not accept a key after one that it refuses.
  ///
  /// On a committed page the number of values of each key is known without visiting them. nil if the page can't be
  /// read: there is no position, or it belongs to a write transaction whose pages are elsewhere.
  package func countPage(
    backward: Bool = false, while admits: (UnsafeRawBufferPointer) -> Bool
  ) throws(LMDBError) -> (count: Int, goesOn: Bool)? {
    guard let (page, entry) = try committedPage() else { return nil }
    let first = backward ? page.admitted(to: entry, while: admits) : entry
    let end = backward ? entry + 1 : page.admitted(from: entry, while: admits)
    // The key at the position was accepted: a different answer from `admits` means that the keys are out of order.
    guard first < end else { throw page.damage(in: transaction.environment) }
    let count = page.valueCount(first..<end)
    if backward ? first > 0 : end < page.count { return (count, false) }
    return (count, try leave(page, backward: backward))
  }

  /// Reads the numbers from the position to the end of its page, or `backward` to its start, of those keys that
  /// `admits` accepts, into `room`. Returns how many were read and whether there are more; the position is then the
  /// first key that was not read. In that direction, `admits` must not accept a key after one that it refuses.
  ///
  /// Reading adjacent entries takes a fraction of the time of moving from key to key. nil if the key at the position
  /// has so many numbers that they are on other pages, or if the page can't be read, as for counting.
  package func readPage(
    into room: UnsafeMutableBufferPointer<UInt64>, backward: Bool = false,
    while admits: (UnsafeRawBufferPointer) -> Bool
  ) throws(LMDBError) -> (count: Int, goesOn: Bool)? {
    guard database.options.contains(.integerSet), let (page, entry) = try committedPage() else { return nil }
    let first = backward ? page.admitted(to: entry, while: admits) : entry
    let end = backward ? entry + 1 : page.admitted(from: entry, while: admits)
    // The key at the position was accepted: a different answer from `admits` means that the keys are out of order.
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

  /// The page of the position, and the index of its entry.
  private func committedPage() throws(LMDBError) -> (page: LeafPage, entry: Int)? {
    guard transaction is ReadTransaction, database.options.contains(.dupSort),
      LeafPage.isFound(pageSize: transaction.environment.pageSize), let entry = try current(),
      let page = LeafPage(around: entry.key, pageSize: transaction.environment.pageSize),
      let first = page.index(of: entry.key)
    else { return nil }
    return (page, first)
  }

  /// Moves to the first key after a page, or to the last one before it; returns whether there is one.
  private func leave(_ page: LeafPage, backward: Bool = false) throws(LMDBError) -> Bool {
    try move(to: backward ? 0 : page.count - 1, of: page)
    return try (backward ? previousKey() : nextKey()) != nil
  }

  /// Moves to an entry of the position's page, for which LMDB need not search the tree. If LMDB finds a different
  /// entry, keys are out of order or empty, and continuing from there could loop forever.
  private func move(to entry: Int, of page: LeafPage) throws(LMDBError) {
    let key = page.key(entry)
    guard let found = try seek(key), found.key.baseAddress == key.baseAddress else {
      throw page.damage(in: transaction.environment)
    }
  }
}
