internal import Storage

extension ModelBuilder {
  /// Adds the next stored property, of any `Codable` type, which is stored encoded: `@Attribute(.codable)`. Queries
  /// cannot use its content.
  ///
  /// The stored value may contain more than the type, because another program wrote it. Changing the object keeps that.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - keyPath: Its key path.
  ///   - made: The default; evaluated for each object that was stored before the property existed.
  ///   - originalNames: The names it had before it was renamed, the latest first.
  public mutating func codable<Value: Codable & Hashable & Sendable>(
    _ name: String, _ keyPath: KeyPath<Root, Value>, made: (@Sendable () -> Value)? = nil, originalNames: [String] = []
  ) {
    let isOptional = CodableJSON.isOptional(Value.self)
    properties.append(
      Property(name: name, type: .scalar(.data), isOptional: isOptional, originalNames: originalNames))
    keyPaths.addEncoded(name, keyPath)
    encoded[name] = EncodedProperty(Value.self)
    guard let make = made else { return }
    self.made[name] = {
      var row = RowEncoder()
      row.append(encoding: make())
      if let refusal = row.refusal { throw StoreError.unsupported("the default of '\(name)': \(refusal.reason)") }
      return row.row
    }
  }
}
