internal import Storage
public import Values

/// Adds objects known by their entities' names only, with the objects that stand within them.
///
/// An object within another is merged with that of the same unique property: what is given is changed, what is not
/// given stays. Without such an object, or without a unique property, it is added. When one object can't be added, or a
/// link is open and must not be, nothing of it is.
public final class GraphInserter {
  /// What became of an object.
  public struct Outcome: Sendable {
    /// The objects that were added or changed: those within before those around them, the object itself last.
    public var objects: [ObjectReference]
    /// The links that lead nowhere, which were left out.
    public var open: [OpenLink]
  }

  /// Which object is meant by a number; nil for one that is not there (yet).
  public var meaning: (_ entity: String, _ number: ObjectNumber) -> ObjectNumber? = { $1 }

  /// Whether a link to an object that is not there is an error.
  public var refusesOpenLinks = false

  private let transaction: WriteTransaction
  private let root: RowInserter
  private var inserters: [String: RowInserter] = [:]
  private var done: [(entity: StoredEntity, number: ObjectNumber, old: [(column: Int, value: Value)]?)] = []
  private var open: [OpenLink] = []

  /// - Parameter root: the way in for the objects around all others.
  public init(_ transaction: WriteTransaction, root: RowInserter) {
    self.transaction = transaction
    self.root = root
  }

  /// Adds an object with those within it.
  ///
  /// - Throws: `OpenLink` where open links are refused, `StoreError` for values that do not fit; then nothing was added and the
  ///   transaction can go on.
  public func insert(_ row: NewRow) throws -> Outcome {
    (done, open) = ([], [])
    do {
      let number = try put(row, isRoot: true)
      let objects = done.map { ObjectReference(entity: $0.entity.name, number: $0.number) }
      return Outcome(objects: objects + [ObjectReference(entity: row.entity, number: number)], open: open)
    } catch {
      undo()
      throw error
    }
  }

  /// Sets the links of objects that were added before, now that those they lead to are there.
  ///
  /// - Parameters:
  ///   - row: what was added.
  ///   - numbers: what it became.
  /// - Returns: The links that still lead nowhere.
  public func link(_ row: NewRow, _ numbers: some Sequence<ObjectNumber>) throws -> [OpenLink] {
    open = []
    var rest = Array(numbers.reversed())
    _ = try relink(row, &rest)
    return open
  }

  private func relink(_ row: NewRow, _ numbers: inout [ObjectNumber]) throws -> ObjectNumber? {
    let entity = try transaction.entity(named: row.entity)
    var changes: [(column: Int, value: Value)] = []
    for link in row.links {
      let targets = try resolved(link, of: entity) { try relink($0, &numbers) }
      changes.append((link.column, entity.columns[link.column].linking(targets)))
    }
    guard let number = numbers.popLast() else { return nil }
    changes.sort { $0.column < $1.column }
    if !changes.isEmpty { try transaction.session.update(number, of: entity, changes) }
    return number
  }

  /// Adds or merges one object, those within it first.
  private func put(_ row: NewRow, isRoot: Bool) throws -> ObjectNumber {
    let entity = try transaction.entity(named: row.entity)
    var values = row.values
    for link in row.links where values.indices.contains(link.column) {
      let targets = try resolved(link, of: entity) { try put($0, isRoot: false) }
      values[link.column] = entity.columns[link.column].linking(targets)
    }
    if !isRoot, let found = try merged(row, values, entity) { return found }
    if refusesOpenLinks, let first = open.first { throw first }
    if let missing = row.missing { throw StoreError.missingValue(entity: row.entity, path: missing) }
    // What is around all others comes last, so it never has to be taken back.
    if isRoot { return try root.append(values) }
    let number = try inserter(row.entity).append(values)
    done.append((entity, number, nil))
    return number
  }

  /// The object with the unique property of `row`, with what `row` gives; nil when there is none.
  private func merged(_ row: NewRow, _ values: [Value], _ entity: StoredEntity) throws -> ObjectNumber? {
    guard let column = entity.keyColumn, row.given.contains(column), values.indices.contains(column),
      let found = try transaction.number(with: values[column], of: entity)
    else { return nil }
    let session = try transaction.session
    guard let old = try session.row(found, of: entity) else {
      throw StoreError.unknownObject(entity: entity.name, found)
    }
    let changes = row.given.sorted().compactMap { column -> (column: Int, value: Value)? in
      guard entity.columns.indices.contains(column) else { return nil }
      let value = entity.columns[column].fitting(values[column])
      return old[column].isIdentical(to: value) ? nil : (column, value)
    }
    if !changes.isEmpty { try session.update(found, of: entity, changes) }
    done.append((entity, found, changes.map { ($0.column, old[$0.column]) }))
    return found
  }

  private func inserter(_ entity: String) throws -> RowInserter {
    if let known = inserters[entity] { return known }
    let made = try transaction.inserter(for: entity, refusingDuplicates: true)
    inserters[entity] = made
    return made
  }

  /// The objects that a link leads to; those that are not there are noted and left out.
  private func resolved(
    _ link: NewRow.Link, of entity: StoredEntity, _ object: (NewRow) throws -> ObjectNumber?
  ) throws -> [ObjectNumber] {
    guard entity.columns.indices.contains(link.column), let name = entity.columns[link.column].target else { return [] }
    let target = try transaction.entity(named: name)
    var numbers: [ObjectNumber] = []
    for end in link.targets {
      switch end {
      case .row(let row): if let number = try object(row) { numbers.append(number) }
      case .number(let number):
        if let meant = meaning(name, number), try transaction.session.row(meant, of: target) != nil {
          numbers.append(meant)
        } else {
          note(entity, link, "\(name) with {\"@id\": \(number.rawValue)}")
        }
      case .key(let value):
        if let number = try transaction.number(with: value, of: target) {
          numbers.append(number)
        } else {
          let path = target.keyColumn.map { target.columns[$0].path } ?? "a unique property"
          note(entity, link, "\(name) with \(path) \(ExpressionSyntax(.literal(value)).predicateFormat)")
        }
      }
    }
    return numbers
  }

  private func note(_ entity: StoredEntity, _ link: NewRow.Link, _ wanted: String) {
    open.append(OpenLink(entity: entity.name, path: entity.columns[link.column].path, wanted: wanted))
  }

  /// Takes back what was done, the last first. Links go before objects do, so that no delete rule reaches others.
  private func undo() {
    // An error here means that the write has failed as a whole: nothing of it will be kept.
    guard let session = try? transaction.session else { return }
    for (entity, number, old) in done.reversed() {
      let links = entity.columns.indices.filter { entity.columns[$0].target != nil }
      _ = try? session.update(number, of: entity, old ?? links.map { ($0, entity.columns[$0].linking([])) })
    }
    for (entity, number, old) in done.reversed() where old == nil { _ = try? session.delete(number, of: entity) }
    done = []
  }
}

extension WriteTransaction {
  /// The object of an entity with a value of its unique property.
  fileprivate func number(with value: Value, of entity: StoredEntity) throws(StoreError) -> ObjectNumber? {
    guard !value.isNull, let index = entity.indexes.first(where: { $0.isUnique && $0.columns.count == 1 }) else {
      return nil
    }
    return try session.find(unique: index, value, of: entity)
  }
}

extension StoredColumn {
  /// The value of a column of links to some objects.
  fileprivate func linking(_ numbers: [ObjectNumber]) -> Value {
    let values = numbers.map { Value.int(Int64(bitPattern: $0.rawValue)) }
    if case .links = column.kind { return .list(values) }
    return values.last ?? .null
  }
}
