internal import Values

/// Where one link leads: to an object of a store by its number, or to a new object.
enum LinkEnd<Target: Model>: Sendable {
  case existing(ObjectNumber)
  case new(NewObject<Target>)

  /// The number of the object: known for a new one once it was added.
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

  /// The number as a column has it; 0, which no object has, for one that is in no store.
  var columnValue: Value { .int(Int64(bitPattern: number?.rawValue ?? 0)) }
}

extension LinkEnd: Hashable {
  /// Whether both lead to the same object: a new object is the same as itself only, whatever its values.
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
