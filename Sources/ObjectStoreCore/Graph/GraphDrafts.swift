internal import PredicateLanguage
internal import QueryEngine
internal import Storage
internal import Values

/// The objects of one statement or record, collected before any of them is added. Objects with the same value of their
/// unique property are one object, regardless of their positions, and links by that value lead to it.
struct GraphDrafts {
  /// The target of a link.
  enum End {
    case draft(Int)
    case key(Value)
    case number(ObjectNumber)
  }

  /// A link, or links, of a draft.
  struct Link {
    var ends: [End]
    /// The row that contains the link.
    var row: Int
  }

  /// An object to be.
  struct Draft {
    let entity: StoredEntity
    let isRoot: Bool
    var values: [Value] = []
    var given: Set<Int> = []
    /// The targets of its links, by column.
    var links: [Int: Link] = [:]
    /// The columns that require a value in some row that lacks it.
    var missing: Set<Int> = []
    /// The row where it was first written.
    let row: Int
    /// The ID of the added object.
    var number: ObjectNumber?

    /// The first column that requires a value and has none.
    var lacking: Int? { missing.subtracting(given).min() }
  }

  /// The position of a row within the row that contains it.
  private struct Row {
    /// nil for the outermost row.
    let around: (row: Int, path: String, element: Int?)?
  }

  private struct Key: Hashable {
    let entity: String
    let value: Value
  }

  private(set) var drafts: [Draft] = []
  /// The outermost draft.
  private(set) var root = 0
  /// The drafts in the order in which they are added: inner before outer ones, the root last.
  private(set) var order: [Int] = []
  /// The draft of each row as written, inner before outer ones.
  private(set) var written: [Int] = []
  /// When each draft is added.
  private var turns: [Int: Int] = [:]
  private var rows: [Row] = []
  private var known: [Key: Int] = [:]
  private let entity: (String) throws -> StoredEntity

  /// - Parameters:
  ///   - isRootAdded: Whether the outermost object is added; otherwise it exists, and only its links matter.
  ///   - entity: Finds entities by name.
  init(_ root: NewRow, isRootAdded: Bool = true, entity: @escaping (String) throws -> StoredEntity) throws {
    self.entity = entity
    self.root = try gather(root, around: nil)
    if isRootAdded { order.append(self.root) }
    for (turn, draft) in order.enumerated() { turns[draft] = turn }
  }

  /// Whether a draft is added no sooner than another.
  func isNotBefore(_ draft: Int, _ other: Int) -> Bool { (turns[draft] ?? 0) >= (turns[other] ?? 0) }

  subscript(draft: Int) -> Draft {
    get { drafts[draft] }
    set { drafts[draft] = newValue }
  }

  /// The draft that has a value of the unique property of its entity.
  func draft(of entity: StoredEntity, with value: Value) -> Int? {
    known[Key(entity: entity.name, value: DistinctKey.of(value))]
  }

  /// The path of a row.
  func place(ofRow row: Int) -> JSONPath {
    guard let around = rows[row].around else { return JSONPath() }
    let place = place(ofRow: around.row).property(around.path)
    return around.element.map(place.element) ?? place
  }

  private mutating func gather(_ row: NewRow, around: (row: Int, path: String, element: Int?)?) throws -> Int {
    let entity = try entity(row.entity)
    let own = rows.count
    rows.append(Row(around: around))
    let (index, isNew) = draft(of: row, entity, isRoot: around == nil, row: own)
    var links: [Int: Link] = [:]
    for link in row.links {
      guard entity.columns.indices.contains(link.column) else { continue }
      let column = entity.columns[link.column]
      var isMany = false
      if case .links = column.column.kind { isMany = true }
      var ends: [End] = []
      ends.reserveCapacity(link.targets.count)
      for (place, target) in link.targets.enumerated() {
        switch target {
        case .key(let value): ends.append(.key(value))
        case .number(let number): ends.append(.number(number))
        case .row(let inner): ends.append(.draft(try gather(inner, around: (own, column.path, isMany ? place : nil))))
        }
      }
      links[link.column] = Link(ends: ends, row: own)
    }
    take(row, links, into: index)
    written.append(index)
    if isNew, around != nil { order.append(index) }
    return index
  }

  /// The draft of a row; a new one, unless the object was written before.
  private mutating func draft(
    of row: NewRow, _ entity: StoredEntity, isRoot: Bool, row place: Int
  ) -> (index: Int, isNew: Bool) {
    var key: Key?
    if let column = entity.keyColumn, isRoot || row.given.contains(column), row.values.indices.contains(column),
      !row.values[column].isNull
    {
      let made = Key(entity: entity.name, value: DistinctKey.of(entity.columns[column].fitting(row.values[column])))
      if let found = known[made] { return (found, false) }
      key = made
    }
    drafts.append(Draft(entity: entity, isRoot: isRoot, row: place))
    if let key { known[key] = drafts.count - 1 }
    return (drafts.count - 1, true)
  }

  /// Adds the values of a row to a draft. Values of earlier rows are kept if the row has none.
  private mutating func take(_ row: NewRow, _ links: [Int: Link], into index: Int) {
    drafts[index].missing.formUnion(row.missing)
    if drafts[index].values.isEmpty {
      drafts[index].values = row.values
    } else {
      for column in row.given where row.values.indices.contains(column) {
        drafts[index].values[column] = row.values[column]
      }
    }
    drafts[index].given.formUnion(row.given)
    drafts[index].links.merge(links) { $1 }
  }
}
