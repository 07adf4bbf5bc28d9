internal import PredicateLanguage
internal import Storage
package import Values

/// Adds objects that are known by entity name, including the objects nested in them.
///
/// A nested object is merged with the object that has the same unique property, either among the written ones or in the
/// store: given values are changed, others are kept. If there is no such object, or no unique property, it is added. If
/// an object cannot be added, or a link is open and open links are refused, nothing is changed.
package final class GraphInserter {
  /// The result of adding an object.
  package struct Outcome: Sendable {
    /// The added or changed object for each row as written: inner before outer ones, the object itself last.
    package var objects: [ObjectReference]
    /// The changes of nested objects.
    package var within: ObjectChanges
    /// The links without an existing target, which were left out.
    package var open: [OpenLink]
  }

  /// What the object ID of a link stands for.
  package enum NumberMeaning: Sendable {
    case object(ObjectNumber)
    /// No object, at least so far.
    case nothing
    /// An object of another store.
    case foreign
  }

  /// What the object ID of a link stands for.
  package var meaning: (_ entity: String, _ number: ObjectNumber) -> NumberMeaning = { .object($1) }

  /// Whether a link to an object that does not exist is an error.
  package var refusesOpenLinks = false

  /// By entity, the paths of columns for which nested objects give no values: new objects get their defaults.
  package var leaving: [String: [String]] = [:]

  private let transaction: WriteTransaction
  private let root: RowInserter?
  private var inserters: [String: RowInserter] = [:]
  private var done: [(entity: StoredEntity, number: ObjectNumber, old: [(column: Int, value: Value)]?)] = []
  private var open: [OpenLink] = []

  /// - Parameters:
  ///   - transaction: The write that adds the objects.
  ///   - root: The inserter of the outermost objects; nil to use one like that of nested objects.
  package init(_ transaction: WriteTransaction, root: RowInserter? = nil) {
    self.transaction = transaction
    self.root = root
  }

  /// Adds an object with its nested objects.
  ///
  /// - Throws: `OpenLink` if open links are refused, `ForeignLink` for an object ID of another store, `GraphFault` for
  ///   an object that cannot be added. Nothing was changed then, and the transaction can continue.
  package func insert(_ row: NewRow) throws -> Outcome {
    (done, open) = ([], [])
    var drafts = try GraphDrafts(row) { [transaction] in try transaction.entity(named: $0) }
    var within = ObjectChanges()
    do {
      try add(&drafts, &within)
      let objects = drafts.written.compactMap { draft in
        drafts[draft].number.map { ObjectReference(entity: drafts[draft].entity.name, number: $0) }
      }
      return Outcome(objects: objects, within: within, open: open)
    } catch {
      undo()
      throw error
    }
  }

  /// Adds the target objects of an existing object's links, and returns the links' new values.
  ///
  /// - Throws: As `insert(_:)`.
  func values(ofLinks row: NewRow) throws -> (links: [Int: Value], within: ObjectChanges) {
    (done, open) = ([], [])
    var drafts = try GraphDrafts(row, isRootAdded: false) { [transaction] in try transaction.entity(named: $0) }
    var within = ObjectChanges()
    do {
      try add(&drafts, &within)
    } catch {
      undo()
      throw error
    }
    let root = drafts[drafts.root]
    let values = root.links.map { ($0, root.entity.columns[$0].linking(drafts.numbers($1))) }
    return (Dictionary(values) { $1 }, within)
  }

  private func add(_ drafts: inout GraphDrafts, _ within: inout ObjectChanges) throws {
    // Links that lead nowhere are found before anything is added.
    for draft in drafts.drafts.indices { try resolve(draft, &drafts) }
    if refusesOpenLinks, let first = open.first { throw first }
    for draft in drafts.order {
      do {
        let kind = try put(draft, &drafts)
        if !drafts[draft].isRoot { within.add(kind, of: drafts[draft].entity.name) }
      } catch let error as StoreError {
        throw fault(error, draft, drafts)
      }
    }
    // Sets links to objects that were added later, or to the object itself.
    for draft in drafts.order {
      guard let number = drafts[draft].number else { continue }
      let entity = drafts[draft].entity
      let late = drafts[draft].links.filter { _, link in
        link.ends.contains { if case .draft(let other) = $0 { drafts.isNotBefore(other, draft) } else { false } }
      }
      if late.isEmpty { continue }
      let changes = late.keys.sorted().map { column in
        (column: column, value: entity.columns[column].linking(drafts.numbers(late[column])))
      }
      guard let old = try transaction.session.row(number, of: entity) else { continue }
      done.append((entity, number, changes.map { ($0.column, old[$0.column]) }))
      try transaction.session.update(number, of: entity, changes)
    }
  }

  private func fault(_ error: StoreError, _ draft: Int, _ drafts: GraphDrafts) -> GraphFault {
    let place = drafts.place(ofRow: drafts[draft].row)
    switch error {
    case .missingValue(_, let path), .wrongType(_, let path, _, _):
      return GraphFault(place: place.property(path), isOfRoot: drafts[draft].isRoot, error: error)
    case .constraintViolated(let violation):
      return GraphFault(place: place.property(violation.path), isOfRoot: drafts[draft].isRoot, error: error)
    default: return GraphFault(place: place, isOfRoot: drafts[draft].isRoot, error: error)
    }
  }

  /// Sets the links of objects that were added before, after their targets have been added.
  ///
  /// - Parameters:
  ///   - row: The added row.
  ///   - numbers: The IDs of the added objects.
  /// - Returns: The links that still have no existing target.
  package func link(_ row: NewRow, _ numbers: some Sequence<ObjectNumber>) throws -> [OpenLink] {
    open = []
    var drafts = try GraphDrafts(row) { [transaction] in try transaction.entity(named: $0) }
    for (draft, number) in zip(drafts.written, numbers) { drafts[draft].number = number }
    for draft in drafts.order {
      try resolve(draft, &drafts)
      guard let number = drafts[draft].number else { continue }
      let entity = drafts[draft].entity
      let links = drafts[draft].links
      let changes = links.keys.sorted().map { column in
        (column: column, value: entity.columns[column].linking(drafts.numbers(links[column])))
      }
      if !changes.isEmpty { try transaction.session.update(number, of: entity, changes) }
    }
    return open
  }

  /// Adds or merges one object; its nested objects were added before.
  private func put(_ draft: Int, _ drafts: inout GraphDrafts) throws -> ObjectChanges.Kind {
    let entity = drafts[draft].entity
    var values = drafts[draft].values
    for (column, link) in drafts[draft].links where values.indices.contains(column) {
      values[column] = entity.columns[column].linking(drafts.numbers(link))
    }
    let isRoot = drafts[draft].isRoot
    if !isRoot, let found = try merged(drafts[draft], values) {
      drafts[draft].number = found
      return .merged
    }
    if let lacking = drafts[draft].lacking, entity.columns.indices.contains(lacking) {
      throw StoreError.missingValue(entity: entity.name, path: entity.columns[lacking].path)
    }
    let inserter = try isRoot ? root ?? inserter(entity.name) : inserter(entity.name)
    let number = try inserter.append(values)
    // The outermost object comes last: afterwards only its own links can fail.
    if !isRoot { done.append((entity, number, nil)) }
    drafts[draft].number = number
    return .inserted
  }

  /// The object with the unique property of a draft, with the draft's values applied; nil if there is none.
  private func merged(_ draft: GraphDrafts.Draft, _ values: [Value]) throws -> ObjectNumber? {
    let entity = draft.entity
    guard let column = entity.keyColumn, draft.given.contains(column), values.indices.contains(column),
      let found = try transaction.number(with: entity.columns[column].fitting(values[column]), of: entity)
    else { return nil }
    let session = try transaction.session
    guard let old = try session.row(found, of: entity) else {
      throw StoreError.unknownObject(entity: entity.name, found)
    }
    let changes = draft.given.sorted().compactMap { column -> (column: Int, value: Value)? in
      guard entity.columns.indices.contains(column) else { return nil }
      let value = entity.columns[column].fitting(values[column])
      return old[column].isIdentical(to: value) ? nil : (column, value)
    }
    if !changes.isEmpty {
      var row = old
      for change in changes { row[change.column] = change.value }
      let indexes = entity.indexes.filter { index in
        index.isUnique && changes.contains { index.columns.contains($0.column) }
      }
      try row.withUnsafeBufferPointer { row throws(StoreError) in
        try session.refuseDuplicate(row, of: entity, except: found, by: indexes)
      }
      try session.update(found, of: entity, changes)
    }
    done.append((entity, found, changes.map { ($0.column, old[$0.column]) }))
    return found
  }

  private func inserter(_ entity: String) throws -> RowInserter {
    if let known = inserters[entity] { return known }
    let made = try transaction.inserter(
      for: entity, refusingDuplicates: true, leaving: leaving[entity] ?? [])
    inserters[entity] = made
    return made
  }

  /// Resolves the links of a draft by unique property or object ID; links without an existing target are recorded and
  /// left out.
  private func resolve(_ draft: Int, _ drafts: inout GraphDrafts) throws {
    let entity = drafts[draft].entity
    for column in drafts[draft].links.keys.sorted() {
      guard let link = drafts[draft].links[column], let name = entity.columns[column].target else { continue }
      let target = try transaction.entity(named: name)
      var ends: [GraphDrafts.End] = []
      for (place, end) in link.ends.enumerated() {
        switch end {
        case .draft: ends.append(end)
        case .number(let number):
          switch meaning(name, number) {
          case .object(let meant) where try transaction.session.row(meant, of: target) != nil:
            ends.append(.number(meant))
          case .object, .nothing:
            note(
              link, column, place, of: entity, drafts, "\(name) with {\"@id\": \(number.rawValue)}", number: number)
          case .foreign:
            let place = self.place(of: link, column, place, of: entity, drafts)
            throw ForeignLink(place: place, target: name, number: number)
          }
        case .key(let value):
          if let written = drafts.draft(of: target, with: value) {
            ends.append(.draft(written))
          } else if let number = try transaction.number(with: value, of: target) {
            ends.append(.number(number))
          } else {
            let path = target.keyColumn.map { target.columns[$0].path } ?? "a unique property"
            note(
              link, column, place, of: entity, drafts,
              "\(name) with \(path) \(ExpressionSyntax(.literal(value)).predicateFormat)")
          }
        }
      }
      drafts[draft].links[column]?.ends = ends
    }
  }

  private func note(
    _ link: GraphDrafts.Link, _ column: Int, _ element: Int, of entity: StoredEntity, _ drafts: GraphDrafts,
    _ wanted: String, number: ObjectNumber? = nil
  ) {
    let place = place(of: link, column, element, of: entity, drafts)
    open.append(OpenLink(entity: entity.name, place: place, wanted: wanted, number: number))
  }

  private func place(
    of link: GraphDrafts.Link, _ column: Int, _ element: Int, of entity: StoredEntity, _ drafts: GraphDrafts
  ) -> JSONPath {
    let place = drafts.place(ofRow: link.row).property(entity.columns[column].path)
    if case .links = entity.columns[column].column.kind { return place.element(element) }
    return place
  }

  /// Reverts the changes, the last first. Links are removed before objects, so that no delete rule affects other
  /// objects.
  private func undo() {
    // An error here means that the whole write has failed, so nothing of it will be kept.
    guard let session = try? transaction.session else { return }
    for (entity, number, old) in done.reversed() {
      let links = entity.columns.indices.filter { entity.columns[$0].target != nil }
      _ = try? session.update(number, of: entity, old ?? links.map { ($0, entity.columns[$0].linking([])) })
    }
    for (entity, number, old) in done.reversed() where old == nil { _ = try? session.delete(number, of: entity) }
    done = []
  }
}

extension GraphDrafts {
  /// The existing objects of a resolved link.
  fileprivate func numbers(_ link: Link?) -> [ObjectNumber] {
    (link?.ends ?? []).compactMap { end in
      switch end {
      case .draft(let draft): self[draft].number
      case .number(let number): number
      case .key: nil
      }
    }
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
