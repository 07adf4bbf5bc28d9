public import Schema
internal import Storage
public import Values

/// An object to be: its values, and what its links lead to, before it is known which objects those are.
public struct NewRow: Sendable {
  /// A link, or links, of an object to be.
  public struct Link: Sendable {
    /// The position of its column.
    public var column: Int
    /// What it leads to: at most one for a single link.
    public var targets: [LinkTarget]

    /// A link.
    public init(column: Int, targets: [LinkTarget]) {
      self.column = column
      self.targets = targets
    }
  }

  /// The entity's name.
  public var entity: String
  /// One value for each column; links have nil, or none.
  public var values: [Value]
  /// What the links lead to.
  public var links: [Link]
  /// The columns that were given, for one that is merged with the object that has its unique property.
  public var given: Set<Int>
  /// The columns that have no value and need one, ascending: it can't be added then, only merged.
  public var missing: [Int]

  /// An object to be.
  public init(
    entity: String, values: [Value], links: [Link] = [], given: Set<Int> = [], missing: [Int] = []
  ) {
    self.entity = entity
    self.values = values
    self.links = links
    self.given = given
    self.missing = missing
  }
}

/// What one link leads to.
public indirect enum LinkTarget: Sendable {
  /// The object that has this value in the unique property of its entity.
  case key(Value)
  /// The object of this number.
  case number(ObjectNumber)
  /// The object that has the unique property of this one, which is changed, or else a new one.
  case row(NewRow)
}

/// A link that leads nowhere, because there is no such object.
public struct OpenLink: Error, Hashable, Sendable, CustomStringConvertible {
  /// The entity of the object that has it.
  public var entity: String
  /// Where it stands, from the object around all others: `tasks[0].owner`.
  public var place: JSONPath
  /// What is not there, in words: `Person with name "Ann"`.
  public var wanted: String

  /// What is wrong, in a sentence.
  public var description: String { "\(place): there is no \(wanted)" }
}

/// Why objects that stand within each other can't be added, and which of them it is.
public struct GraphFault: Error, Sendable {
  /// Where the object stands; and its property, where it is one's fault.
  public var place: JSONPath
  /// Whether it is the object around all others.
  public var isOfRoot: Bool
  /// What is wrong with it.
  public var error: StoreError
}

extension StoredEntity {
  /// The column by which links to its objects are written: the first unique property of a single column.
  var keyColumn: Int? { indexes.first { $0.isUnique && $0.columns.count == 1 }?.columns.first }
}

extension Entity {
  /// The dotted path of the property by which links to its objects are written: the first unique one. Objects without it
  /// are written by their number, `{"@id": 17}`.
  public var keyPath: String? { indexes.first { $0.kind == .unique && $0.paths.count == 1 }?.paths.first }
}
