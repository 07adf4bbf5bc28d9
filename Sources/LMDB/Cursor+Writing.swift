import CLMDB

// Writes that start at the cursor's position: keys that arrive in order are found without a search from the root.
extension Cursor {
  /// Adds ascending numbers to those of a key; existing numbers stay. With `append` the key must come after all others,
  /// which fills pages completely.
  package func put(
    _ key: UnsafeRawBufferPointer, numbers: UnsafeBufferPointer<UInt64>, append: Bool = false
  ) throws(LMDBError) {
    guard let first = numbers.baseAddress, numbers.count > 0 else { return }
    if !append, numbers.count > 1 {
      // If the first of several numbers is the only number of the key, LMDB would silently drop the others.
      try put(key, numbers: UnsafeBufferPointer(rebasing: numbers[..<1]))
      return try put(key, several: UnsafeBufferPointer(rebasing: numbers[1...]), first: first + 1, append: false)
    }
    try put(key, several: numbers, first: first, append: append)
  }

  private func put(
    _ key: UnsafeRawBufferPointer, several numbers: UnsafeBufferPointer<UInt64>, first: UnsafePointer<UInt64>,
    append: Bool
  ) throws(LMDBError) {
    let transaction = try writing(key)
    if !database.verification.isDoneForWriting {
      for number in numbers {
        var number = number
        try withUnsafePointer(to: &number) { pointer throws(LMDBError) in
          let value = UnsafeRawBufferPointer(start: pointer, count: 8)
          try transaction.verifyPut(key, value, database, append: append)
        }
      }
    }
    var key = MDB_val(key)
    // Several numbers at once: their width and address, then their count.
    var values = (
      MDB_val(mv_size: 8, mv_data: UnsafeMutableRawPointer(mutating: first)),
      MDB_val(mv_size: numbers.count, mv_data: nil)
    )
    let order = append ? MDB_APPEND | MDB_APPENDDUP : 0
    let flags = UInt32(order | (numbers.count > 1 ? MDB_MULTIPLE : 0))
    let code = withUnsafeMutableBytes(of: &values) { bytes in
      mdb_cursor_put(raw, &key, bytes.baseAddress?.assumingMemoryBound(to: MDB_val.self), flags)
    }
    try transaction.succeed(code)
  }

  /// Adds a number under a key without numbers; returns false and changes nothing when the key has numbers.
  package func putIfAbsent(_ key: UnsafeRawBufferPointer, number: UInt64) throws(LMDBError) -> Bool {
    let transaction = try writing(key)
    try transaction.verifyPut(key, nil, database)
    var key = MDB_val(key)
    var number = number
    let code = withUnsafeMutableBytes(of: &number) { bytes in
      var value = MDB_val(UnsafeRawBufferPointer(bytes))
      return mdb_cursor_put(raw, &key, &value, UInt32(MDB_NOOVERWRITE))
    }
    if code == MDB_KEYEXIST { return false }
    try transaction.succeed(code)
    return true
  }

  private func writing(_ key: UnsafeRawBufferPointer) throws(LMDBError) -> WriteTransaction {
    guard database.options.isSuperset(of: .integerSet) else {
      throw .incompatible("several numbers of a key in \(database.name)")
    }
    guard transaction.isOpen else { throw .transactionEnded }
    guard let writing = transaction as? WriteTransaction else { throw .readOnly }
    _ = try writing.usable()
    try Transaction.check(key: key, database)
    return writing
  }
}
