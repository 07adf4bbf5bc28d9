import CLMDB
import Glibc

/// A number that stands beside the databases, as an entry of the main tree, which every commit writes in any case. It is
/// stored twice, the second time with all bits turned over, so that damage is noticed.
package struct SealedNumber: Sendable {
  /// The key in the main tree: a zero byte, with which no database's name begins, and the name.
  let key: [UInt8]
  /// For messages.
  let name: String

  package init(_ name: String) {
    self.name = name
    key = [0] + Array(name.utf8)
  }

  static func bytes(of number: UInt64) -> [UInt8] {
    [number, ~number].flatMap { part in withUnsafeBytes(of: part.littleEndian) { Array($0) } }
  }

  /// The number in a value, nil if it is damaged.
  static func number(in bytes: UnsafeRawBufferPointer) -> UInt64? {
    guard bytes.count == 16 else { return nil }
    let number = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
    return ~number == UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)) ? number : nil
  }
}

extension Transaction {
  /// A number beside the databases of this view; nil if it was never written.
  package final func number(_ sealed: SealedNumber) throws(LMDBError) -> UInt64? {
    guard let raw else { throw .transactionEnded }
    var value = MDB_val()
    let code = sealed.key.withUnsafeBytes { key in
      var key = MDB_val(key)
      return mdb_get(raw, Environment.mainDatabase, &key, &value)
    }
    if code == MDB_NOTFOUND { return nil }
    guard code == 0 else { throw environment.error(code, "reading from") }
    guard let number = SealedNumber.number(in: value.bytes) else {
      throw .damaged(path: environment.dataPath, page: 0, what: "the number '\(sealed.name)' in the main tree")
    }
    return number
  }
}

extension WriteTransaction {
  package func put(_ number: UInt64, _ sealed: SealedNumber) throws(LMDBError) {
    let raw = try usable()
    let code = sealed.key.withUnsafeBytes { key in
      SealedNumber.bytes(of: number).withUnsafeBytes { bytes in
        var key = MDB_val(key)
        var value = MDB_val(bytes)
        return mdb_put(raw, Environment.mainDatabase, &key, &value, 0)
      }
    }
    try succeed(code)
  }

  package func remove(_ sealed: SealedNumber) throws(LMDBError) {
    let raw = try usable()
    let code = sealed.key.withUnsafeBytes { key in
      var key = MDB_val(key)
      return mdb_del(raw, Environment.mainDatabase, &key, nil)
    }
    if code != MDB_NOTFOUND { try succeed(code) }
  }
}
