internal import Storage

extension SchemaDeclaration {
  /// Adds the steps of a plan.
  mutating func add(_ steps: [MigrationStep]) throws(StoreError) {
    var names: Set<String> = []
    for step in steps {
      guard names.insert(step.name).inserted else {
        throw .unsupported("two steps of the migration are called '\(step.name)': a store remembers them by name")
      }
      self.steps.append(step.declared)
      if let renamed = step.renamed { try schema.rename(renamed.old, to: renamed.new, in: step.name) }
    }
  }
}

extension Schema {
  /// Adds an old name to a declared entity or property.
  fileprivate mutating func rename(_ old: String, to new: String, in step: String) throws(StoreError) {
    switch SchemaPart(old) {
    case .entity(let name)?:
      if let position = entities.firstIndex(where: { $0.name == new }) {
        entities[position].originalNames.append(name)
        return
      }
    case .property(let entity, let path)?:
      let names = path.split(separator: ".").map(String.init)
      let now = entities.first { $0.name == entity || $0.originalNames.contains(entity) }
      if let now, let former = names.last,
        let place = place(at: (names.dropLast() + [new]).joined(separator: "."), of: now.name)
      {
        for position in entities.indices where entities[position].name == place.structure {
          entities[position].addOriginalName(former, of: place.property)
        }
        for position in embedded.indices where embedded[position].name == place.structure {
          embedded[position].addOriginalName(former, of: place.property)
        }
        return
      }
    case .index?, nil: break
    }
    throw .unsupported("the models have no '\(new)' for the migration step '\(step)'")
  }
}

extension Entity {
  fileprivate mutating func addOriginalName(_ former: String, of property: String) {
    for position in properties.indices where properties[position].name == property {
      properties[position].originalNames.append(former)
    }
  }
}

extension StoreFile {
  /// Declares the schema, and runs the steps that have not been run on the file.
  func migrate(
    _ declaration: SchemaDeclaration, _ steps: [MigrationStep], _ cancellation: Cancellation?
  ) throws -> [String] {
    var outcome: WriteOutcome?
    defer { outcome?.end() }
    let notes = try migrate(declaration, wait: cancellation.wait) { names, session, old in
      outcome?.end()
      outcome = try MigrationContext.perform(steps, names, in: session, of: self, old, cancellation)
    }
    outcome?.commit()
    return notes
  }
}
