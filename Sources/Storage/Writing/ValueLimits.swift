package import Values

/// The limits on single values that a write stores. Applied to every value before anything is changed.
package struct ValueLimits: Hashable, Sendable {
  /// The maximum number of bytes of a string or Data.
  package var bytes: Int
  /// The maximum number of elements of a collection.
  package var elements: Int

  package init(bytes: Int = .max, elements: Int = .max) {
    self.bytes = bytes
    self.elements = elements
  }

  /// The limit that a value exceeds and its maximum; nil if there is none. Elements of a collection count as values.
  @inline(__always)
  package func excess(_ value: Value) -> (limit: LimitExceeded.Limit, maximum: Int)? {
    switch value {
    case .string(let text): text.utf8.count > bytes ? (.valueBytes, bytes) : nil
    case .data(let data): data.count > bytes ? (.valueBytes, bytes) : nil
    case .list, .embedded: excess(ofCollection: value)
    case .null, .bool, .int, .float, .double, .decimal, .date, .uuid, .object: nil
    }
  }

  private func excess(ofCollection value: Value) -> (limit: LimitExceeded.Limit, maximum: Int)? {
    switch value {
    case .list(let list):
      if list.count > elements { return (.elements, elements) }
      for element in list { if let excess = excess(element) { return excess } }
    case .embedded(let fields):
      if fields.count > elements { return (.elements, elements) }
      for field in fields {
        if field.name.utf8.count > bytes { return (.valueBytes, bytes) }
        if let excess = excess(field.value) { return excess }
      }
    case .null, .bool, .int, .float, .double, .decimal, .string, .data, .date, .uuid, .object: break
    }
    return nil
  }

  /// Throws if a value of a column exceeds a limit.
  @inline(__always)
  func check(_ value: Value, _ column: Int, of entity: StoredEntity) throws(StoreError) {
    guard let excess = excess(value) else { return }
    let path = entity.columns.indices.contains(column) ? entity.columns[column].path : "\(column)"
    throw .limitExceeded(LimitExceeded(excess.limit, excess.maximum, of: "\(entity.name).\(path)"))
  }
}
