public import FoundationEssentials
public import FoundationInternationalization
public import ObjectStoreCore

/// Which objects to fetch and how, as a value: a query, an order, a window.
///
/// ```swift
/// var descriptor = FetchDescriptor<Quake>(
///   predicate: #Predicate { $0.magnitude > 2 }, sortBy: [SortDescriptor(\.time, order: .reverse)])
/// descriptor.fetchLimit = 20
/// let quakes = try store.fetch(descriptor)
/// ```
public struct FetchDescriptor<Object: Model>: Sendable {
  /// Which objects.
  public var query: Query<Object>
  /// The order, the most significant first; insertion order where it is empty.
  public var sortBy: [SortDescriptor<Object>]
  /// How many objects at most; nil for all. A negative number is taken as 0.
  public var fetchLimit: Int?
  /// How many objects are skipped; a negative number is taken as 0.
  public var fetchOffset: Int?
  /// The properties that are of interest. An object is a value and always whole, so that this changes nothing about the
  /// objects; `results.values(of:)` reads one property alone.
  public var propertiesToFetch: [any PartialKeyPath<Object> & Sendable] = []

  /// The objects for which a query holds, in an order.
  public init(_ query: Query<Object> = .all, sortBy: [SortDescriptor<Object>] = []) {
    self.query = query
    self.sortBy = sortBy
  }

  /// The objects for which a predicate of Foundation holds, in an order. What has no counterpart in the language throws
  /// when objects are fetched.
  public init(predicate: Predicate<Object>?, sortBy: [SortDescriptor<Object>] = []) {
    query = predicate.map { Query(deferring: $0) } ?? .all
    self.sortBy = sortBy
  }
}

extension Results {
  /// Of these objects, those that a descriptor wants.
  ///
  /// - Throws: `QueryError` with what is wrong with its query.
  public func fetching(_ descriptor: FetchDescriptor<Object>) throws -> Results {
    var results = try filter(descriptor.query)
    if !descriptor.sortBy.isEmpty { results = results.sorted(by: descriptor.sortBy) }
    if let offset = descriptor.fetchOffset { results = results.offset(offset) }
    if let limit = descriptor.fetchLimit { results = results.limit(limit) }
    return results
  }
}

extension Store {
  /// The objects that a descriptor wants.
  public func fetch<Object: Model>(_ descriptor: FetchDescriptor<Object>) throws -> [Object] {
    try objects(Object.self).fetching(descriptor).objects()
  }

  /// How many objects a descriptor wants.
  public func fetchCount<Object: Model>(_ descriptor: FetchDescriptor<Object>) throws -> Int {
    try objects(Object.self).fetching(descriptor).count
  }

  /// The identities of the objects that a descriptor wants, in order.
  public func fetchIdentifiers<Object: Model>(_ descriptor: FetchDescriptor<Object>) throws -> [ObjectID<Object>] {
    try objects(Object.self).fetching(descriptor).ids
  }

  /// Calls `body` with each object that a descriptor wants, in order: of one version of the store, and without all of them
  /// in memory.
  ///
  /// - Parameters:
  ///   - descriptor: Which objects.
  ///   - batchSize: How many objects are read between two looks whether the task was cancelled; objects are read one by
  ///     one, so that it does not change how much memory is used.
  ///   - body: What is done with each.
  /// - Throws: what `body` throws, which ends it; `CancellationError` when the task was cancelled.
  public func enumerate<Object: Model>(
    _ descriptor: FetchDescriptor<Object>, batchSize: Int = 5_000, _ body: (Object) throws -> Void
  ) throws {
    var count = 0
    try objects(Object.self).fetching(descriptor).forEach { object in
      if count % Swift.max(1, batchSize) == 0 { try Task.checkCancellation() }
      count += 1
      try body(object)
    }
  }
}

extension StoreSnapshot {
  /// The objects that a descriptor wants.
  public func fetch<Object: Model>(_ descriptor: FetchDescriptor<Object>) throws -> [Object] {
    try objects(Object.self).fetching(descriptor).objects()
  }

  /// How many objects a descriptor wants.
  public func fetchCount<Object: Model>(_ descriptor: FetchDescriptor<Object>) throws -> Int {
    try objects(Object.self).fetching(descriptor).count
  }
}
