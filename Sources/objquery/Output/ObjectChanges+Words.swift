import ObjectStoreCore

extension ObjectChanges {
  /// The changes in words: `3 objects deleted`, `3 objects deleted: 1 Project, 2 Task`, `1 Person inserted, 2 merged`.
  ///
  /// Entities are named when there are several counts.
  var words: String {
    let kinds = Kind.allCases.filter { kind in parts.contains { $0.kind == kind } }
    guard let first = kinds.first else { return counted(0, "object") }
    if kinds.count == 1 {
      let total = "\(counted(count, "object")) \(first.verb)"
      return parts.count == 1 ? total : "\(total): \(parts.map(\.words).joined(separator: ", "))"
    }
    let isOfOne = Set(parts.map(\.entity)).count == 1
    return kinds.enumerated().map { place, kind in
      let own = parts.filter { $0.kind == kind }
      let counts = isOfOne && place > 0 ? grouped(count(kind)) : own.map(\.words).joined(separator: " and ")
      return "\(counts) \(kind.verb)"
    }.joined(separator: ", ")
  }
}

extension ObjectChanges.Part {
  /// `2 Task`
  fileprivate var words: String { "\(grouped(count)) \(entity)" }
}

extension ObjectChanges.Kind {
  /// `3 objects …`
  fileprivate var verb: String {
    switch self {
    case .inserted: "inserted"
    case .merged: "merged"
    case .changed: "changed"
    case .deleted: "deleted"
    }
  }
}
