internal import Storage

/// The objects that link to an object through one of their properties: what a property
/// `@Inverse(\Project.tasks) var projects: LinkingObjects<Project>` holds.
///
/// ```swift
/// @Model struct Task {
///   var name = ""
///   @Inverse(\Project.tasks) var projects: LinkingObjects<Project>
/// }
///
/// let projects = try task.projects.objects()
/// let count = try task.projects.results.filter("name BEGINSWITH 'N'").count
/// ```
///
/// It is read-only: it follows from the links. Nothing of it is kept in the object; whatever is asked is looked up in
/// the read or write the thread is in (`forEach`, `write`, `snapshot`), else in the newest version. Nothing links to a
/// value that was not read from a store. It is left out of `==`.
public struct LinkingObjects<Source: Model>: Sendable {
  private let path: String
  let target: RowOrigin?

  /// That of a value that is in no store.
  public init() {
    path = ""
    target = nil
  }

  /// That of the object that `row` has the values of; `@Model` uses it.
  ///
  /// - Parameters:
  ///   - path: The dotted path of the property by which objects link here.
  ///   - row: What the object is read from.
  public init(through path: String, in row: borrowing RowDecoder) {
    self.path = path
    target = row.origin
  }

  /// How many objects link here, each once however often it does.
  public var count: Int { get throws { try found?.count ?? 0 } }

  /// Whether none does.
  public var isEmpty: Bool { get throws { try found?.isEmpty ?? true } }

  /// Their identities, in insertion order.
  public var ids: [ObjectID<Source>] { get throws { try found?.ids ?? [] } }

  /// The object at a position from 0; throws `IndexOutOfRange` when there is none.
  public subscript(position: Int) -> Source {
    get throws {
      guard let found = try found else { throw IndexOutOfRange(index: position, count: 0) }
      return try found[position]
    }
  }

  /// The objects that link here, in insertion order.
  ///
  /// - Throws: `StoreError.closed` when nobody holds the store any more.
  public func objects() throws -> [Source] { try found?.objects() ?? [] }

  /// The objects that link here as results, to be filtered, sorted and counted further.
  ///
  /// - Throws: `StoreError`: `closed` when nobody holds the store any more, `unsupported` for a value that was not read
  ///   from a store.
  public var results: Results<Source> {
    get throws {
      guard let found = try found else {
        throw StoreError.unsupported("the value was not read from a store, so nothing links to it")
      }
      return found
    }
  }

  private var found: Results<Source>? {
    get throws {
      guard let target else { return nil }
      return Results(
        linked: .linking(to: target.number, through: path), in: try .following(linkFrom: target.store))
    }
  }
}

extension LinkingObjects: Hashable {
  /// Always: what links to an object is no part of its value.
  public static func == (left: LinkingObjects, right: LinkingObjects) -> Bool { true }

  /// Adds nothing.
  public func hash(into hasher: inout Hasher) {}
}
