internal import Storage

/// Adds the new objects that an object links to, directly or not, before the object itself, each once.
///
/// If an object can't be added, none of them are.
struct GraphWriter {
  private let transaction: WriteTransaction
  /// Whether a new object updates an existing one with the same value of its first unique property.
  private let isMerging: Bool
  private var added: [(object: any AddableObject, entity: StoredEntity, number: ObjectNumber, isNew: Bool)] = []

  /// An object being added, with the numbers of its link targets so far.
  private struct Step {
    var row: EncodedRow
    var numbers: [ObjectNumber] = []
    /// nil for the first object.
    let object: (any AddableObject)?
  }

  init(_ transaction: WriteTransaction, isMerging: Bool) {
    self.transaction = transaction
    self.isMerging = isMerging
  }

  /// Adds the objects that a row links to and runs `body` with the completed values of the row.
  mutating func write<R>(
    _ row: EncodedRow, _ body: ([Value]) throws -> R
  ) throws -> R {
    do {
      return try body(try values(of: row))
    } catch {
      undo()
      throw error
    }
  }

  private mutating func values(of row: EncodedRow) throws(StoreError) -> [Value] {
    let outcome = transaction.outcome
    var steps: [Step] = []
    var step = Step(row: row, object: nil)
    while true {
      if step.numbers.count < step.row.newObjects.count {
        let next = step.row.newObjects[step.numbers.count].object
        if let number = next.number(in: outcome) {
          step.numbers.append(number)
        } else {
          steps.append(step)
          step = Step(row: try transaction.encoded(next), object: next)
        }
        continue
      }
      step.row.complete(with: step.numbers)
      guard let object = step.object else { return step.row.values }
      try put(object, step.row.values)
      guard let outer = steps.popLast() else { throw .finished }
      step = outer
    }
  }

  private mutating func put(_ object: any AddableObject, _ values: [Value]) throws(StoreError) {
    let session = try transaction.session
    let layout = try transaction.layout(object.definition)
    var found: ObjectNumber?
    if isMerging, let index = layout.uniqueIndex, let column = index.columns.first,
      let key = layout.value(of: column, in: values)
    {
      found = try session.find(unique: index, key, of: layout.entity)
    }
    let number: ObjectNumber
    if let found {
      try transaction.change(found, to: values, by: layout, in: session)
      number = found
    } else {
      number = try session.insert(try layout.row(of: values), into: layout.entity, refusingDuplicates: true)
    }
    object.settle(AddedObject(outcome: transaction.outcome, number: number))
    added.append((object, layout.entity, number, found == nil))
  }

  /// Removes the objects that were added, linking objects first.
  private mutating func undo() {
    for (object, entity, number, isNew) in added.reversed() {
      // An error here means that the whole write has failed and will be undone.
      if isNew { _ = try? transaction.session.delete(number, of: entity) }
      object.unsettle(transaction.outcome)
    }
    added = []
  }
}
