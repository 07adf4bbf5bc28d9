public import FoundationEssentials
public import FoundationInternationalization
public import ObjectStoreCore

/// A value that describes which objects to fetch: a query, an order and a window.
///
/// ```swift
/// var descriptor = FetchDescriptor<Quake>(
///   predicate: #Predicate { $0.magnitude > 2 }, sortBy: [SortDescriptor(\.time, order: .reverse)])
/// descriptor.fetchLimit = 20
/// let quakes = try store.fetch(descriptor)
/// ```
public struct FetchDescriptor<Object: Model>: Sendable {
  /// The query for the objects.
  public var query: Query<Object>
  /// The order, most significant first; insertion order if empty.
  public var sortBy: [SortDescriptor<Object>]
  /// The maximum number of objects; nil for all. A negative number is taken as 0.
  public var fetchLimit: Int?
  /// The number of objects to skip; a negative number is taken as 0.
  public var fetchOffset: Int?
  /// The properties that are needed. Objects are values and always complete, so nothing is left out for it;
  /// `results.values(of:)` reads a single property. A key path to what is not stored is refused when objects are
  /// fetched.
  public var propertiesToFetch: [any PartialKeyPath<Object> & Sendable] = []

  /// Describes the objects that match a query, in an order.
  ///
  /// ```swift
  /// let descriptor = FetchDescriptor<Quake>(a, sortBy: [SortDescriptor(\.time, order: .reverse)])
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query; all objects unless given.
  ///   - sortBy: The order, most significant first; insertion order if empty.
  public init(_ query: Query<Object> = .all, sortBy: [SortDescriptor<Object>] = []) {
    self.query = query
    self.sortBy = sortBy
  }

  /// Describes the objects that match a Foundation predicate, in an order. A predicate without an equivalent in the
  /// query language throws when objects are fetched.
  ///
  /// - Parameters:
  ///   - predicate: The predicate; nil for all objects.
  ///   - sortBy: The order, most significant first; insertion order if empty.
  public init(predicate: Predicate<Object>?, sortBy: [SortDescriptor<Object>] = []) {
    query = predicate.map { Query(deferring: $0) } ?? .all
    self.sortBy = sortBy
  }
}

extension Results {
  /// The objects among these results that match a descriptor.
  ///
  /// ```swift
  /// let descriptor = FetchDescriptor<Quake>(a, sortBy: [SortDescriptor(\.time, order: .reverse)])
  /// let found = try results.fetching(descriptor)
  /// ```
  ///
  /// - Throws: `QueryError` with the errors in its query, or for a property to fetch that is not stored; `StoreError`
  ///   if the schema cannot be read. A property to sort by that is not stored throws when the results are read.
  public func fetching(_ descriptor: FetchDescriptor<Object>) throws -> Results {
    for keyPath in descriptor.propertiesToFetch { try Object.requireStored(keyPath) }
    var results = try filter(descriptor.query)
    if !descriptor.sortBy.isEmpty { results = results.sorted(by: descriptor.sortBy) }
    if let offset = descriptor.fetchOffset { results = results.offset(offset) }
    if let limit = descriptor.fetchLimit { results = results.limit(limit) }
    return results
  }
}

extension Store {
  /// The objects that match a descriptor.
  ///
  /// ```swift
  /// let found = try store.fetch(FetchDescriptor<Quake>(a))
  /// ```
  ///
  /// - Throws: `QueryError` with the errors in the descriptor: its query, and properties that are not stored; otherwise
  ///   as `Results.objects()`.
  public func fetch<Object: Model>(_ descriptor: FetchDescriptor<Object>) throws -> [Object] {
    try objects(Object.self).fetching(descriptor).objects()
  }

  /// The number of objects that match a descriptor.
  ///
  /// ```swift
  /// let count = try store.fetchCount(FetchDescriptor<Quake>(a))
  /// ```
  ///
  /// - Throws: `QueryError` with the errors in the descriptor: its query, and properties that are not stored; otherwise
  ///   as `Results.count`.
  public func fetchCount<Object: Model>(_ descriptor: FetchDescriptor<Object>) throws -> Int {
    try objects(Object.self).fetching(descriptor).count
  }

  /// The identities of the objects that match a descriptor, in order.
  ///
  /// ```swift
  /// let ids = try store.fetchIdentifiers(FetchDescriptor<Quake>(a))
  /// ```
  ///
  /// - Throws: `QueryError` with the errors in the descriptor: its query, and properties that are not stored; otherwise
  ///   as `Results.ids`.
  public func fetchIdentifiers<Object: Model>(_ descriptor: FetchDescriptor<Object>) throws -> [ObjectID<Object>] {
    try objects(Object.self).fetching(descriptor).ids
  }

  /// Calls `body` with each object that matches a descriptor, in order. All are of one version of the store, and they
  /// are not all in memory at once.
  ///
  /// ```swift
  /// try store.enumerate(FetchDescriptor<Quake>(a)) { quake in print(quake.code) }
  /// ```
  ///
  /// - Parameters:
  ///   - descriptor: The objects to fetch.
  ///   - batchSize: The number of objects between checks for task cancellation; objects are read one by one, so it
  ///     does not affect the use of memory.
  ///   - body: Called with each object.
  /// - Throws: The errors of `body`, which end the enumeration; `CancellationError` when the task was cancelled;
  ///   otherwise as `fetch(_:)`.
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
  /// The objects that match a descriptor.
  ///
  /// ```swift
  /// let found = try snapshot.fetch(FetchDescriptor<Quake>(a))
  /// ```
  ///
  /// - Throws: As the method of `Store`; `StoreError`: `finished` after the end of the snapshot, `unsupported` on
  ///   another thread.
  public func fetch<Object: Model>(_ descriptor: FetchDescriptor<Object>) throws -> [Object] {
    try objects(Object.self).fetching(descriptor).objects()
  }

  /// The number of objects that match a descriptor.
  ///
  /// ```swift
  /// let count = try snapshot.fetchCount(FetchDescriptor<Quake>(a))
  /// ```
  ///
  /// - Throws: As the method of `Store`; `StoreError`: `finished` after the end of the snapshot, `unsupported` on
  ///   another thread.
  public func fetchCount<Object: Model>(_ descriptor: FetchDescriptor<Object>) throws -> Int {
    try objects(Object.self).fetching(descriptor).count
  }
}
