internal import Storage
public import Values

/// Links to many objects, ordered and with repetitions: the value of a property `var tasks: List<Task>`.
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
/// It is a collection of links, and a value: a change has no effect on the store until the object it belongs to is
/// added or updated. It holds identities; objects are read on access, in the thread's current read or write (`forEach`,
/// `write`, `snapshot`), or in the newest version if there is none. It keeps neither a version nor the store alive.
public struct List<Target: Model>: Sendable {
  var ends: [LinkEnd<Target>]
  /// The store it was read from.
  var origin: StoreReference?

  init(_ ends: [LinkEnd<Target>], _ origin: StoreReference?) {
    self.ends = ends
    self.origin = origin
  }

  /// Creates links to the given objects, identities or links, in order.
  public init(_ objects: some Sequence<some Linkable<Target>>) {
    self.init()
    append(contentsOf: objects)
  }

  /// The identities of the objects, in order, without new objects that have not been added.
  ///
  /// - Complexity: Linear in the number of links.
  public var ids: [ObjectID<Target>] { ends.compactMap { $0.number.map { ObjectID($0) } } }

  /// The objects, in order and with repetitions, in the thread's current read or write, or in the newest version if
  /// there is none; new objects as they were given. Objects that were deleted since the list was read are left out.
  ///
  /// - Throws: `StoreError`: `closed` if the store has been released, `unsupported` for identities outside of any read
  ///   or write.
  /// - Complexity: Linear in the number of links.
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

  /// The objects as results, which can be filtered, sorted and counted: in the order of the list and with repetitions,
  /// unless they are sorted. Sums and other aggregates count each object once. New objects, which are not in a store
  /// yet, are left out.
  ///
  /// - Throws: As `objects()`; also for a list that is empty and was not read from a store.
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
  /// False.
  @inlinable public static var isStruct: Bool { false }
  /// 1.
  @inlinable public static var columnCount: Int { 1 }
  /// None: a list is empty by default.
  public var schemaDefault: Value? { nil }
  /// Appends the numbers of the objects.
  public func encode(into row: inout RowEncoder) { row.append(ends) }
  /// Appends nil.
  @inlinable public static func encodeAbsence(into row: inout RowEncoder) { row.append(.null) }
  /// Reads the numbers of the objects.
  ///
  /// - Throws: `StoreError`: `missingValue` for nil, `wrongType` for a column without links, `corrupted` for damaged
  ///   bytes.
  public static func decode(from row: inout RowDecoder) throws -> List {
    List(try row.links().map { .existing($0) }, row.origin?.store)
  }
}
