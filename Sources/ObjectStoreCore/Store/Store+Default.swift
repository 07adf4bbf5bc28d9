internal import Synchronization

extension Store {
  private static let current = Mutex<Store?>(nil)

  /// The store that `Store.objects(_:)` reads; nil until it is set.
  ///
  /// ```swift
  /// Store.default = try Store(path, models: Quake.self)
  /// let count = try Store.objects(Quake.self).filter("magnitude > 5").count
  /// ```
  public static var `default`: Store? {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }

  /// The objects of a model in the default store.
  ///
  /// - Throws: `StoreError.unsupported` when there is no default store.
  public static func objects<Object: Model>(_ model: Object.Type) throws -> Results<Object> {
    try required().objects(model)
  }

  /// The objects of an entity in the default store.
  ///
  /// - Throws: `StoreError.unsupported` when there is no default store, `QueryError` when it has no such entity.
  public static func objects(_ entity: String) throws -> DynamicResults { try required().objects(entity) }

  private static func required() throws -> Store {
    guard let store = Self.default else {
      throw StoreError.unsupported("there is no default store: set Store.default to one")
    }
    return store
  }
}
