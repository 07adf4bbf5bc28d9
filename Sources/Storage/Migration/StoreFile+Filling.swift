internal import LMDB
internal import Schema
internal import Values

// Fills gaps of existing objects after a declaration.

extension StoreFile {
  /// Writes values that objects lack: replacements for nil where it is no longer allowed, new properties of structs in
  /// lists, and generated defaults of new properties. If there are problems, it only adds further missing values to
  /// them.
  ///
  /// - Returns: Writers that find the values which were filled in and which objects share although they must be unique.
  ///   With any of them in the end, the transaction must be rolled back.
  func fill(
    _ migration: SchemaMigration, _ target: LoadedCatalog, _ problems: inout [String], in transaction: WriteTransaction,
    wait: WriteWait
  ) throws -> [EntityWriter] {
    let session = WriteSession(transaction: transaction, catalog: target, path: path)
    defer { session.invalidate() }
    for entity in target.schema.entities {
      let gaps = migration.fills.filter { $0.entity == entity.number }.compactMap { Gap($0, in: entity) }
      if gaps.isEmpty { continue }
      var missing = Array(repeating: 0, count: gaps.count)
      var objects: [ObjectNumber] = []
      // Views end with a write, so gaps are found first and filled afterwards.
      try session.snapshot().forEachCluster(entity) { cluster in
        if wait.isOver { throw StoreError.cancelled }
        var slots = Mask.none
        for (place, gap) in gaps.enumerated() {
          let found = try gap.slots(of: cluster)
          if gap.isClosed { missing[place] += found.count } else { slots = slots | found }
        }
        slots.forEach { objects.append(ObjectNumber(cluster: cluster.number, slot: $0)) }
        return true
      }
      for (gap, count) in zip(gaps, missing) where count > 0 {
        let problem = SchemaFill.problem("\(entity.name).\(gap.title)", count)
        let isAsked = migration.asked.contains { "\(entity.name).\(gap.title).".hasPrefix($0 + ".") }
        if !isAsked, !problems.contains(problem) { problems.append(problem) }
      }
      guard problems.isEmpty else { continue }
      for (step, object) in objects.enumerated() {
        if step & 255 == 0, wait.isOver { throw StoreError.cancelled }
        guard let row = try session.row(object, of: entity) else { continue }
        var made = MadeValues()
        var changes: [(column: Int, value: Value)] = []
        for gap in gaps {
          if let value = try gap.filled(row, &made) { changes.append((gap.column, value)) }
        }
        try session.update(object, of: entity, changes)
      }
    }
    guard problems.isEmpty else { return [] }
    if try session.violations().isEmpty { try session.finish() }
    return try session.successors()
  }
}

/// The generated values of one object. A struct is generated once, so that its columns belong to the same struct.
struct MadeValues {
  private var values: [String: [Value]] = [:]

  /// - Parameter element: The position of the struct in a list.
  mutating func value(_ made: MadeDefault, owner: String, element: Int, column: Int) throws -> Value {
    let key = "\(owner)#\(element)"
    let all: [Value]
    if let known = values[key] {
      all = known
    } else {
      all = try made.make()
      values[key] = all
    }
    guard column < all.count else {
      throw StoreError.unsupported(
        "the default of '\(owner)' gives \(amount(all.count, "value")) for \(amount(made.columns.count, "column"))")
    }
    return all[column]
  }
}

/// The gaps of one column, and their content.
struct Gap {
  let column: Int
  let path: String
  /// The name in messages.
  let title: String
  private let content: SchemaFill.Content
  private let scope: SchemaFill.Scope
  /// The column of the list of structs that it is a part of.
  private let list: Int?
  /// The presence columns of the structs around it in the object.
  private let presences: [Int]
  /// The presence columns for each struct of the list.
  private let elementPresences: [Int]

  /// Whether there is no content for the gaps.
  var isClosed: Bool { if case .nothing = content { true } else { false } }

  init?(_ fill: SchemaFill, in entity: StoredEntity) {
    guard let column = entity.column(at: fill.path) else { return nil }
    self.column = column
    path = fill.path
    title = fill.title ?? fill.path
    content = fill.content
    scope = fill.scope
    list = entity.structLists.first { $0.parts.contains(column) }?.column
    // A struct that is generated as a whole includes its presence.
    let owner = if case .made(_, let owner, _) = fill.content { owner } else { fill.path }
    let around = entity.columns.indices.filter { owner.hasPrefix(entity.columns[$0].path + ".") }
    presences = around.filter { entity.columns[$0].column.kind == .presence }
    elementPresences = around.filter { entity.columns[$0].column.kind == .presences }
  }

  /// The objects of a cluster that have gaps.
  func slots(of cluster: ClusterView) throws(StoreError) -> Mask {
    let view = try cluster.column(column)
    switch scope {
    case .nulls: return try view.nulls & cluster.present & ~missing(in: cluster)
    case .present: return try cluster.present & ~missing(in: cluster)
    case .absent: return try cluster.present & missing(in: cluster)
    case .elements:
      var views: [ColumnView] = []
      for presence in elementPresences { views.append(try cluster.column(presence)) }
      var found = Mask.none
      for slot in 0..<view.slotCount where cluster.present[slot] {
        guard case .list(let elements) = try view.value(at: slot), elements.contains(where: \.isNull) else { continue }
        let there = try views.map { view throws(StoreError) in try view.value(at: slot) }
        if elements.indices.contains(where: { elements[$0].isNull && isThere($0, there) }) { found[slot] = true }
      }
      return found
    case .structs:
      guard let list else { return .none }
      let counts = try cluster.column(list)
      var views: [ColumnView] = []
      for presence in elementPresences { views.append(try cluster.column(presence)) }
      var found = Mask.none
      for slot in 0..<counts.slotCount where cluster.present[slot] {
        guard case .int(let count) = try counts.value(at: slot), count > 0 else { continue }
        let there = try views.map { view throws(StoreError) in try view.value(at: slot) }
        if !isClosed || (0..<Int(clamping: count)).contains(where: { isThere($0, there) }) { found[slot] = true }
      }
      return found
    }
  }

  /// The objects in which a struct around the column does not exist.
  private func missing(in cluster: ClusterView) throws(StoreError) -> Mask {
    var missing = Mask.none
    for presence in presences { missing = missing | (try cluster.column(presence).nulls) }
    return missing
  }

  /// The value of an object with its gaps filled; nil (not `.null`) if it has none.
  func filled(_ row: [Value], _ made: inout MadeValues) throws -> Value? {
    func value(_ element: Int = 0) throws -> Value? {
      switch content {
      case .value(let value): value
      case .made(let maker, let owner, let column):
        try made.value(maker, owner: owner, element: element, column: column)
      case .nothing: nil
      }
    }
    switch (scope, row[column]) {
    case (.nulls, .null): return presences.contains { row[$0].isNull } ? nil : try value()
    case (.nulls, _): return nil
    case (.present, _): return presences.contains { row[$0].isNull } ? nil : try value()
    case (.absent, _): return presences.contains { row[$0].isNull } ? try value() : nil
    case (.elements, .list(let elements)):
      let there = elementPresences.map { row[$0] }
      return .list(
        try elements.enumerated().map { place, element in
          element.isNull && isThere(place, there) ? try value(place) ?? .null : element
        })
    case (.structs, .list([])):
      guard let list, case .int(let count) = row[list] else { return nil }
      let there = elementPresences.map { row[$0] }
      return .list(
        try (0..<Int(clamping: count)).map { isThere($0, there) ? try value($0) ?? .null : .null })
    case (.elements, _), (.structs, _): return nil
    }
  }

  /// Whether the structs around the leaf are there, in a struct of the list.
  private func isThere(_ place: Int, _ presences: [Value]) -> Bool {
    presences.allSatisfy { presence in
      // A new struct exists in every element.
      guard case .list(let elements) = presence, place < elements.count else { return true }
      return !elements[place].isNull
    }
  }
}
