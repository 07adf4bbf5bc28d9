internal import Storage

/// The objects that link to an object through one of their properties: the value of a property
/// `@Inverse(\Project.tasks) var projects: LinkingObjects<Project>`.
///
/// ```swift
/// @Model struct Project { var name = ""; var tasks: List<Task> }
/// @Model struct Task {
///   var name = ""
///   @Inverse(\Project.tasks) var projects: LinkingObjects<Project>
/// }
///
/// let projects = try task.projects.objects()
/// let count = try task.projects.results.filter("name BEGINSWITH 'N'").count
/// ```
///
/// It is read-only, since it is derived from the links. Nothing of it is stored in the object; every access looks it up
/// in the thread's current read or write (`forEach`, `write`, `snapshot`), or in the newest version if there is none.
/// It is empty for a value that was not read from a store. It is ignored by `==`.
public struct LinkingObjects<Source: Model>: Sendable {
  private let path: String
  let target: RowOrigin?

  /// Creates the inverse of a value that is not in a store, which is empty.
  public init() {
    path = ""
    target = nil
  }

  /// Creates the inverse of the object whose values are in `row`. For the code that `@Model` generates.
  ///
  /// - Parameters:
  ///   - path: The dotted path of the property by which objects link here.
  ///   - row: The row that the object is read from.
  public init(through path: String, in row: borrowing RowDecoder) {
    self.path = path
    target = row.origin
  }

  /// The number of objects that link here. An object counts once, even if it has several links.
  ///
  /// - Throws: `StoreError`: `closed` if the store has been released; the errors of reading, as for `Results.count`.
  /// - Complexity: Linear in the number of objects that link here.
  public var count: Int { get throws { try found?.count ?? 0 } }

  /// Whether none does.
  ///
  /// - Throws: As `count`.
  public var isEmpty: Bool { get throws { try found?.isEmpty ?? true } }

  /// Their identities, in insertion order.
  ///
  /// - Throws: As `count`.
  /// - Complexity: Linear in the number of objects that link here.
  public var ids: [ObjectID<Source>] { get throws { try found?.ids ?? [] } }

  /// The object at a position from 0.
  ///
  /// - Throws: `IndexOutOfRange` if there is none; otherwise as `objects()`.
  public subscript(position: Int) -> Source {
    get throws {
      guard let found = try found else { throw IndexOutOfRange(index: position, count: 0) }
      return try found[position]
    }
  }

  /// The objects that link here, in insertion order.
  ///
  /// - Throws: `StoreError`: `closed` if the store has been released, `unreadableValue` if `Source` can't represent a
  ///   stored value.
  /// - Complexity: Linear in the number of objects that link here.
  public func objects() throws -> [Source] { try found?.objects() ?? [] }

  /// The objects that link here as results, which can be filtered, sorted and counted.
  ///
  /// - Throws: `StoreError`: `closed` if the store has been released, `unsupported` for a value that was not read from
  ///   a store.
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
  /// Always true: the objects that link to an object are not part of its value.
  public static func == (left: LinkingObjects, right: LinkingObjects) -> Bool { true }

  /// Does nothing.
  public func hash(into hasher: inout Hasher) {}
}
