extension Model {
  /// The model's name and its stored properties: `Quake(code: "us1", magnitude: 6.4, felt: nil)`. `print` shows it for
  /// a model without its own `description`. Links are shown as identities; nothing is read.
  public var debugDescription: String {
    let properties = printed.map { "\($0.name): \(PrintedValue.text($0.value))" }
    return "\(Self.entityName)(\(properties.joined(separator: ", ")))"
  }

  /// The stored properties, for `dump` and debuggers.
  public var customMirror: Mirror {
    Mirror(self, children: printed.map { (label: $0.name, value: $0.value) }, displayStyle: .struct)
  }

  private var printed: [(name: String, value: Any)] {
    Self.modelDefinition.keyPaths.stored.compactMap { name, keyPath in
      self[keyPath: keyPath].map { (name, $0) }
    }
  }
}

/// A property's value as `print` shows it within its object.
private enum PrintedValue {
  /// Formats a value: optionals without the word, strings in quotes, sets and dictionaries sorted by their formatted
  /// elements.
  static func text(_ value: Any) -> String {
    if let string = value as? String { return string.debugDescription }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.map { text($0.value) } ?? "nil"
    case .collection: return "[\(mirror.children.map { text($0.value) }.joined(separator: ", "))]"
    case .set: return "[\(mirror.children.map { text($0.value) }.sorted().joined(separator: ", "))]"
    case .dictionary:
      let entries = mirror.children.map { entry in
        Mirror(reflecting: entry.value).children.map { text($0.value) }.joined(separator: ": ")
      }
      return entries.isEmpty ? "[:]" : "[\(entries.sorted().joined(separator: ", "))]"
    default: return String(describing: value)
    }
  }
}
