internal import Values

/// The target of a link: an object of a store by its ID, or a new object.
enum LinkEnd<Target: Model>: Sendable {
  case existing(ObjectNumber)
  case new(NewObject<Target>)

  /// The ID of the object; nil for a new one that has not been added.
  var number: ObjectNumber? {
    switch self {
    case .existing(let number): number
    case .new(let object): object.added?.number
    }
  }

  /// The store that a new object was added to.
  var origin: StoreReference? {
    switch self {
    case .existing: nil
    case .new(let object): object.added?.outcome.store
    }
  }

  /// The ID as a column stores it; 0, which is no object's ID, for an object that is not in a store.
  var columnValue: Value { .int(Int64(bitPattern: number?.rawValue ?? 0)) }
}

extension LinkEnd: Hashable {
  /// Whether both lead to the same object. A new object equals only itself, regardless of its values.
  static func == (left: LinkEnd, right: LinkEnd) -> Bool {
    switch (left, right) {
    case (.existing(let left), .existing(let right)): left == right
    case (.new(let left), .new(let right)): left === right
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .existing(let number): hasher.combine(number)
    case .new(let object): hasher.combine(ObjectIdentifier(object))
    }
  }
}
