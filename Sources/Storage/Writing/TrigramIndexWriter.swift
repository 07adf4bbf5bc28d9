internal import LMDB
internal import Schema
internal import Values

/// Writes a trigram index: changes are merged into the blocks they belong to, many at a time.
final class TrigramIndexWriter: IndexWriter {
  static let databaseOptions: DatabaseOptions = []

  let index: StoredIndex
  private let database: Database
  var wait = WriteWait()
  private let path: String
  private var changes = TrigramChanges()

  init(_ index: StoredIndex, database: Database, hasLongKeys: Bool, path: String) {
    self.index = index
    self.database = database
    self.path = path
  }

  var hasLongKeys: Bool { false }

  var isFull: Bool { changes.isFull }

  func note(row: UnsafeBufferPointer<Value>, object: UInt64) {
    for column in index.columns { note(row[column], object: object, isRemoval: false) }
  }

  func note(_ values: [Value], object: UInt64, isRemoval: Bool) {
    for value in values { note(value, object: object, isRemoval: isRemoval) }
  }

  func note(from old: [Value], to new: [Value], object: UInt64) {
    if new == old { return }
    for (old, new) in zip(old, new) { note(from: old, to: new, object: object) }
  }

  /// Records that an object got or lost a string.
  private func note(_ value: Value, object: UInt64, isRemoval: Bool) {
    guard case .string(var text) = value else { return }
    text.withUTF8 { changes.note(UnsafeRawBufferPointer($0), object: object, isRemoval: isRemoval) }
  }

  /// Records that the string of an object changed. nil is treated as the empty string, which has no trigrams.
  private func note(from old: Value, to new: Value, object: UInt64) {
    var old = if case .string(let text) = old { text } else { "" }
    var new = if case .string(let text) = new { text } else { "" }
    old.withUTF8 { old in
      new.withUTF8 { new in
        changes.note(from: UnsafeRawBufferPointer(old), to: UnsafeRawBufferPointer(new), object: object)
      }
    }
  }

  func flush(_ transaction: WriteTransaction) throws(StoreError) {
    if changes.isEmpty { return }
    changes.sort()
    defer { changes.removeAll() }
    try StoreError.only(path) {
      let tree = try TrigramTree(database, index.index.name, transaction)
      if try transaction.entryCount(database) == 0 {
        for stream in changes.streams {
          if wait.isOver { throw StoreError.cancelled }
          for block in stream.blocks { try tree.append(stream.trigram, block) }
        }
      } else {
        for stream in changes.streams {
          if wait.isOver { throw StoreError.cancelled }
          try tree.merge(stream)
        }
      }
      var start = 0
      let edits = changes.edits
      while start < edits.count {
        var end = start + 1
        while end < edits.count, edits[end].trigram == edits[start].trigram { end += 1 }
        try tree.merge(edits[start].trigram, edits[start..<end].map { ($0.place, $0.isRemoval) })
        start = end
      }
    }
  }
}
