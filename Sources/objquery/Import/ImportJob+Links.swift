import ObjectStoreCore

/// The links to objects that came later: set when all are there.
extension ImportJob {
  /// The result of one transaction.
  private struct Batch {
    /// Outcomes of the reader.
    var taken = 0
    var linked = 0
    var open: [BadRows.Row] = []
    var isAtEnd = false
  }

  /// Reads the records with open links again and sets those of their links that lead somewhere now. The others are noted
  /// as left out.
  func link(in store: Store) throws {
    guard !pending.isEmpty, let rows else { return }
    progress.begin("Linking")
    try reader.rewind()
    var position = 0
    var index = 0
    while index < pending.count {
      var batch = Batch()
      try interruption.write(to: store) { transaction in
        // A write may run again from its start.
        if batch.taken > 0 {
          try reader.rewind()
          for place in 0..<position {
            if place & 255 == 0 { try interruption.check() }
            _ = try reader.next()
          }
          batch = Batch()
        }
        let graph = GraphInserter(transaction, root: try transaction.inserter(for: request.entity))
        graph.meaning = { [given] in given.meaning($0, $1) }
        while batch.linked < Self.batch, index + batch.linked < pending.count {
          let outcome = try reader.next()
          batch.taken += 1
          if batch.taken & 255 == 0 {
            try interruption.check()
            progress.show(reader.fraction, objects: index + batch.linked)
          }
          switch outcome {
          case .record(let record, let line):
            guard position + batch.taken - 1 == pending.record(index + batch.linked) else { continue }
            let objects = pending.objects(index + batch.linked)
            batch.linked += 1
            guard rows.build(record, of: reader) == nil, case .row(let row) = rows.linked() else { continue }
            for link in try graph.link(row, objects) {
              let advice = link.number == nil ? "" : given.advice(request.entity)
              batch.open.append(BadRows.Row(line: line, reason: link.description + advice))
            }
          case .bad: continue
          case .end, .damaged:
            batch.isAtEnd = true
            return
          }
        }
      }
      batch.open.forEach { errors.addOpen(line: $0.line, $0.reason) }
      // The file has become shorter since.
      if batch.isAtEnd { return }
      position += batch.taken
      index += batch.linked
      isLinked = index == pending.count
      try interruption.check()
    }
  }
}
