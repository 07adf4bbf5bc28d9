import ObjectStoreCore
internal import PredicateLanguage

/// The second pass: the objects.
extension ImportJob {
  /// The result of one transaction.
  private struct Batch {
    /// Records of the file, good or bad.
    var taken = 0
    var stored = 0
    var bad: [BadRows.Row] = []
    var pending = PendingLinks()
    var numbers: [ObjectNumber: ObjectNumber] = [:]
    /// The results for nested objects.
    var within = ObjectChanges()
    var upserted = UpsertCounts()
    /// Rows whose key an existing object already has.
    var known = 0
  }

  /// Stores the records while later records are read on another thread.
  func transfer(_ plan: ImportPlan, into store: Store) throws {
    progress.begin("Importing")
    var isDone = false
    var taken = 0
    var ahead: RowsAhead?
    defer { ahead?.stop() }
    while !isDone {
      var batch = Batch()
      try interruption.write(to: store) { transaction in
        // A write may run again from its start; then its records are read again.
        if batch.taken > 0 {
          ahead?.stop()
          ahead = nil
          try reader.rewind()
          for place in 0..<taken {
            if place & 255 == 0 { try interruption.check() }
            _ = try reader.next()
          }
          batch = Batch()
        }
        let inserter = try transaction.inserter(
          for: request.entity, upsertKey: request.isUpsert ? plan.key : nil, refusingDuplicates: true,
          leaving: plan.left(of: request.entity))
        let rows: RowsAhead
        if let ahead {
          rows = ahead
        } else {
          let builder = try self.rows ?? newRows(plan, inserter, in: transaction)
          rows = RowsAhead(reader, builder, width: inserter.columns.count)
          ahead = rows
        }
        isDone = try !fill(&batch, from: rows, inserter, plan, in: transaction, after: taken)
      }
      taken += batch.taken
      summary.imported += batch.stored
      within.add(batch.within)
      upserted.add(batch.upserted)
      self.taken += batch.known
      batch.bad.forEach { errors.add(line: $0.line, $0.reason) }
      pending.append(batch.pending)
      if !batch.numbers.isEmpty { given.add(request.entity, batch.numbers) }
      isBrought = isDone
      try interruption.check()
    }
    if case .damaged(let line, let offset, let reason)? = ahead?.block.ending {
      summary.damage = "\(request.file):\(line): \(reason) (byte \(offset))"
    }
    // Until then, the paths left out by the builder belong to its thread.
    ahead?.stop()
    let names = rows?.names ?? []
    for (source, path) in request.renamed.sorted(by: { $0.key < $1.key }) {
      guard !names.contains(where: { $0 == source || $0.hasPrefix(source + ".") }) else { continue }
      progress.clear()
      note("--map \(source)=\(path): no record has '\(source)'")
    }
    for sentence in (rows?.notes ?? []) + (nested?.notes ?? []) {
      progress.clear()
      note(sentence)
    }
    // Notes of the plan are not repeated.
    let leftOut = (rows?.leftOut ?? []).filter { name in
      !plan.notes.contains { $0.hasPrefix(name + " ") || $0.hasPrefix(name + ".") }
    }
    noteLeftOut(leftOut.map { (request.entity, $0) }, plan, because: "\(request.entity) has no such property") {
      $0.path
    }
    noteLeftOut(nested?.leftOut ?? [], plan, because: "there is no such property") { "\($0.entity).\($0.path)" }
  }

  /// Stores as many rows as fit in one transaction; false when there are no more.
  ///
  /// - Parameter taken: The number of records in earlier transactions.
  private func fill(
    _ batch: inout Batch, from rows: RowsAhead, _ inserter: RowInserter, _ plan: ImportPlan,
    in transaction: WriteTransaction, after taken: Int
  ) throws -> Bool {
    let keys = try inserter.columns.map { column in try column.target.map { try transaction.keys(of: $0) } }
    let graph = GraphInserter(transaction, root: inserter)
    graph.leaving = plan.leftByEntity
    // The numbers of this transaction are requested one by one during it.
    var numbers: [ObjectNumber: ObjectNumber] = [:]
    defer { batch.numbers = numbers }
    graph.meaning = { [given, request] entity, number in
      let own = entity == request.entity ? numbers[number] : nil
      return own.map { .object($0) } ?? given.meaning(entity, number)
    }
    let key = plan.key
    while batch.stored < Self.batch {
      guard rows.step() else {
        if case .failed(let failure)? = rows.block.ending { throw failure }
        return false
      }
      batch.taken += 1
      if batch.taken & 255 == 0 {
        try interruption.check()
        progress.show(rows.block.fraction, objects: summary.imported + batch.stored)
      }
      let (line, content) = rows.block.contents[rows.place]
      let values = rows.block.row(rows.place)
      let number: ObjectNumber
      do {
        switch content {
        case .row: number = try inserter.append(UnsafeBufferPointer(values))
        case .numbered(let own):
          number = try inserter.append(UnsafeBufferPointer(values))
          numbers[own] = number
        case .linked(let linked):
          if try linked.complete(values, by: keys, inserter.columns) {
            number = try inserter.append(UnsafeBufferPointer(values))
          } else {
            let outcome = try graph.insert(linked.row(values, of: request.entity))
            guard let root = outcome.objects.last else { continue }
            number = root.number
            batch.within.add(outcome.within)
            if !outcome.open.isEmpty {
              batch.pending.add(record: taken + batch.taken - 1, outcome.objects.map(\.number))
            }
          }
          if let own = linked.identity { numbers[own] = number }
        case .bad(let reason):
          batch.bad.append(BadRows.Row(line: line, reason: reason))
          continue
        }
        batch.stored += 1
        if request.isUpsert { batch.upserted.add(number, isThere: inserter.hasReplaced, after: upserted) }
      } catch let error as StoreError where error.concernsOneRow && !concernsAll(error) {
        if error.isAbout(key) { batch.known += 1 }
        batch.bad.append(
          BadRows.Row(line: line, reason: error.reasonForRow(by: plan.declared) + advice(on: error, key)))
      } catch let link as ForeignLink {
        batch.bad.append(BadRows.Row(line: line, reason: link.reasonForRow))
      } catch let fault as GraphFault where fault.error.concernsOneRow && !(fault.isOfRoot && concernsAll(fault.error))
      {
        if fault.isOfRoot, fault.error.isAbout(key) { batch.known += 1 }
        batch.bad.append(
          BadRows.Row(
            line: line,
            reason: fault.error.reasonForRow(at: fault.place, by: plan.declared)
              + (fault.isOfRoot ? advice(on: fault.error, key) : "")))
      }
    }
    return true
  }
}

extension ImportJob {
  /// Whether the error in a row affects all rows, so that nothing can be imported.
  private func concernsAll(_ error: StoreError) -> Bool {
    if case .unseenProperties = error { !request.isUpsert } else { false }
  }

  /// What to do when a row that replaces an object takes a unique value from another one, which may give it up in a later
  /// row: rows are stored one after another.
  private func advice(on error: StoreError, _ key: String?) -> String {
    guard request.isUpsert, case .constraintViolated(let violation) = error, violation.path != key else { return "" }
    return "; where objects exchange their values, import them first with others, then with these"
  }
}

extension StoreError {
  /// Whether only the current row is invalid, so that the others can be imported.
  fileprivate var concernsOneRow: Bool {
    switch self {
    case .constraintViolated, .wrongType, .missingValue, .unseenProperties, .limitExceeded: true
    default: false
    }
  }

  /// Whether another object has the row's value of a property.
  fileprivate func isAbout(_ key: String?) -> Bool {
    if case .constraintViolated(let violation) = self { violation.path == key } else { false }
  }

  /// The message about that row.
  ///
  /// - Parameters:
  ///   - place: The path of the property, for a nested object.
  ///   - declared: The declarations of the import.
  fileprivate func reasonForRow(at place: JSONPath? = nil, by declared: Schema?) -> String {
    switch self {
    case .constraintViolated(let violation):
      "\(place?.description ?? violation.path): there is already an object with "
        + quoted(ValueText.plain(violation.value, null: "nil"))
        + (declared?.saysUnique(violation.path, of: violation.entity) == false
          ? "; the store says that it is unique, the schema text does not: "
            + "'objquery drop STORE \"@unique \(violation.entity).\(violation.path)\"' allows it"
          : "")
    case .missingValue(_, let path): "\(place?.description ?? path) has no value, and may not be nil"
    default: description
    }
  }
}

extension ForeignLink {
  fileprivate var reasonForRow: String {
    "\(place): {\"@id\": \(number.rawValue)} is the number of a \(target) in the store that the data comes from; import "
      + "a folder of .dump, which has both, or say --store-ids if it is a number of this store"
  }
}

extension Schema {
  /// Whether it declares a property, or several joined by `+`, to be unique; nil for an unknown entity.
  fileprivate func saysUnique(_ path: String, of entity: String) -> Bool? {
    self.entity(named: entity)?.indexes.contains { $0.kind == .unique && $0.name == path }
  }
}
