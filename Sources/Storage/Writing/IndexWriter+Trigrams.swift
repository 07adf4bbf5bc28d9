internal import LMDB
internal import Schema
internal import Values

// Writing a trigram index: changes are merged into the blocks they belong to, many at a time.

extension IndexWriter {
  /// Records that an object got or lost a string.
  func note(text value: Value, object: UInt64, isRemoval: Bool) {
    guard case .string(var text) = value else { return }
    text.withUTF8 { trigrams.note(UnsafeRawBufferPointer($0), object: object, isRemoval: isRemoval) }
  }

  /// Records that the string of an object changed. nil is treated as the empty string, which has no trigrams.
  func note(textFrom old: Value, to new: Value, object: UInt64) {
    var old = if case .string(let text) = old { text } else { "" }
    var new = if case .string(let text) = new { text } else { "" }
    old.withUTF8 { old in
      new.withUTF8 { new in
        trigrams.note(from: UnsafeRawBufferPointer(old), to: UnsafeRawBufferPointer(new), object: object)
      }
    }
  }

  /// Writes the gathered trigrams.
  func flushTrigrams(_ transaction: WriteTransaction) throws(StoreError) {
    if trigrams.isEmpty { return }
    trigrams.sort()
    defer { trigrams.removeAll() }
    try StoreError.only(path) {
      let tree = try TrigramTree(database, index.index.name, transaction)
      if try transaction.entryCount(database) == 0 {
        for stream in trigrams.streams {
          if wait.isOver { throw StoreError.cancelled }
          for block in stream.blocks { try tree.append(stream.trigram, block) }
        }
      } else {
        for stream in trigrams.streams {
          if wait.isOver { throw StoreError.cancelled }
          try tree.merge(stream)
        }
      }
      var start = 0
      let edits = trigrams.edits
      while start < edits.count {
        var end = start + 1
        while end < edits.count, edits[end].trigram == edits[start].trigram { end += 1 }
        try tree.merge(edits[start].trigram, edits[start..<end].map { ($0.place, $0.isRemoval) })
        start = end
      }
    }
  }
}
