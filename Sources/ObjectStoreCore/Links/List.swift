internal import Storage
public import Values

/// Links to many objects, in an order of their own, with repetitions: what a property `var tasks: List<Task>` holds.
///
/// ```swift
/// @Model struct Project { var name = ""; var tasks: List<Task> }
///
/// var project = Project(name: "New", tasks: [Task(assignee: "Alex", priority: 5)])
/// project.tasks.append(otherTask)
/// for task in try project.tasks.objects() { print(task.name) }
/// let urgent = try project.tasks.results.filter("priority > 5").count
/// ```
///
/// It is a collection of links, and a value: changing it changes nothing in the store until the object it belongs to is
/// added or updated. It holds identities; objects are read when asked for, in the read or write the thread is in
/// (`forEach`, `write`, `snapshot`), else in the newest version. It pins neither a version nor the store.
public struct List<Target: Model>: Sendable {
  var ends: [LinkEnd<Target>]
  /// The store it was read from.
  var origin: StoreReference?

  init(_ ends: [LinkEnd<Target>], _ origin: StoreReference?) {
    self.ends = ends
    self.origin = origin
  }

  /// Links to the given objects, identities or links, in order.
  public init(_ objects: some Sequence<some Linkable<Target>>) {
    self.init()
    append(contentsOf: objects)
  }

  /// The identities of the objects, in order; new ones that were not added yet are left out.
  public var ids: [ObjectID<Target>] { ends.compactMap { $0.number.map { ObjectID($0) } } }

  /// The objects, in order and as often as they are in the list: as they are in the read or write the thread is in, else
  /// in the newest version; new ones as they were given. Those that were deleted since the list was read are left out.
  ///
  /// - Throws: `StoreError`: `closed` when nobody holds the store any more, `unsupported` for identities outside of any
  ///   read or write.
  public func objects() throws -> [Target] {
    if ends.isEmpty { return [] }
    guard let origin = ends.contains(where: { $0.number != nil }) ? try source : nil else {
      return ends.compactMap { end in if case .new(let object) = end { object.object } else { nil } }
    }
    return try origin.objects(of: Target.self) { reader in
      var objects: [Target] = []
      objects.reserveCapacity(ends.count)
      for end in ends {
        if let number = end.number {
          if let object = try reader.item(number) { objects.append(object) }
        } else if case .new(let object) = end {
          objects.append(object.object)
        }
      }
      return objects
    }
  }

  /// The objects as results, to be filtered, sorted and counted further: in the order of the list and as often as they
  /// are in it, as long as they are not sorted. Sums and other aggregates count each object once. New objects, which
  /// are in no store yet, are left out.
  ///
  /// - Throws: as `objects()`; also for a list that is empty and was not read from a store.
  public var results: Results<Target> {
    get throws { Results(linked: .these(ends.compactMap(\.number)), in: try source) }
  }

  private var source: QuerySource {
    get throws { try .following(linkFrom: origin ?? ends.lazy.compactMap(\.origin).first) }
  }
}

extension List: Hashable {
  /// Whether both lead to the same objects in the same order.
  public static func == (left: List, right: List) -> Bool { left.ends == right.ends }

  /// Hashes which objects it leads to.
  public func hash(into hasher: inout Hasher) { hasher.combine(ends) }
}

extension List: CustomStringConvertible {
  /// The identities: `[Task@3, Task@7, new Task]`.
  public var description: String { "[\(map(\.description).joined(separator: ", "))]" }
}

extension List: PresentValue {
  /// A list of links to the model's entity.
  public static var propertyShape: PropertyShape {
    PropertyShape(type: .list(Target.entityName), linked: Target.self)
  }
  /// It is not.
  @inlinable public static var isStruct: Bool { false }
  /// One.
  @inlinable public static var columnCount: Int { 1 }
  /// None: a list is empty by default.
  public var schemaDefault: Value? { nil }
  /// Appends the numbers of the objects.
  public func encode(into row: inout RowEncoder) { row.append(ends) }
  /// Appends nil.
  @inlinable public static func encodeAbsence(into row: inout RowEncoder) { row.append(.null) }
  /// Reads the numbers of the objects.
  public static func decode(from row: inout RowDecoder) throws -> List {
    List(try row.links().map { .existing($0) }, row.origin?.store)
  }
}
