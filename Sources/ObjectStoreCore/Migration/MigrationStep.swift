internal import Storage

/// A step of a `MigrationPlan`. A store records the names of the steps that it has run.
public struct MigrationStep: Sendable {
  /// The name of the step, also in errors.
  public let name: String
  /// The part of the step that concerns the schema.
  let declared: DeclaredStep
  /// The old name of a renamed part, in the syntax of `SchemaPart`, and its new name.
  let renamed: (old: String, new: String)?
  let perform: @Sendable (MigrationContext) throws -> Void

  init(
    _ declared: DeclaredStep, renamed: (old: String, new: String)? = nil,
    _ perform: @escaping @Sendable (MigrationContext) throws -> Void = { _ in }
  ) {
    name = declared.name
    self.declared = declared
    self.renamed = renamed
    self.perform = perform
  }
}

extension MigrationStep {
  /// Converts a property of each object from an old property, which is then removed. The old property may have any type
  /// and the same name or another.
  ///
  /// ```swift
  /// let step = MigrationStep.convert("magnitudes are numbers", Quake.self, "mag", to: \.magnitude) { (old: String) in Double(old) ?? 0 }
  /// ```
  ///
  /// A store without the old property is not changed. Linear in the number of objects.
  ///
  /// - Parameters:
  ///   - name: The step's name.
  ///   - model: The model as it is now.
  ///   - old: The dotted path of the old property.
  ///   - keyPath: The property that gets the value. It needs no default.
  ///   - transform: Converts the value. If the old property may be nil, it takes an optional. If it throws, the
  ///     migration is rolled back.
  public static func convert<Object: Model, Old: PropertyValue, New: PropertyValue>(
    _ name: String, _ model: Object.Type, _ old: String, to keyPath: any KeyPath<Object, New> & Sendable,
    _ transform: @escaping @Sendable (Old) throws -> New
  ) -> MigrationStep {
    let definition = Object.modelDefinition
    let entity = definition.entity.name
    let path = definition.path(of: keyPath)
    return MigrationStep(
      DeclaredStep(
        name: name, replacing: ["\(entity).\(old)"], filling: path.map { ["\(entity).\($0)"] } ?? [])
    ) { context in
      guard let path else {
        throw StoreError.unsupported(
          "'\(name)' converts to a property of \(entity) that is not stored, or not by columns")
      }
      try context.convert(definition, old, to: path, columnCount: New.columnCount) { (object, row) throws in
        try transform(try object.value(at: old, as: Old.self)).encode(into: &row)
      }
    }
  }

  /// Changes each object of a model: `change` receives the old object and the current one, which is stored afterwards.
  ///
  /// ```swift
  /// let step = MigrationStep.each("one name", Person.self, replacing: ["first", "last"]) { old, new in
  ///   new.name = try old.value(at: "first", as: String.self) + " " + old.value(at: "last", as: String.self)
  /// }
  /// ```
  ///
  /// New properties of the model need no default: before the step they are 0, `false`, `""` and so on. The
  /// objects keep these values where `change` sets nothing, which is not noticed: make sure that it sets each one. A
  /// property whose type has no such value, such as an enum, needs a default or a `convert` step. Objects that earlier
  /// steps added are skipped. Linear in the number of objects.
  ///
  /// - Parameters:
  ///   - name: The step's name.
  ///   - model: The model as it is now.
  ///   - replacing: The dotted paths of old properties that are removed after the step, even if the model has one with
  ///     the same name and another type. In a store that lacks one of them, new properties need a default.
  ///   - change: Changes an object. If it throws, the migration is rolled back.
  public static func each<Object: Model>(
    _ name: String, _ model: Object.Type, replacing: [String] = [],
    _ change: @escaping @Sendable (_ old: DynamicObject, _ new: inout Object) throws -> Void
  ) -> MigrationStep {
    let definition = Object.modelDefinition
    let entity = definition.entity.name
    return MigrationStep(
      DeclaredStep(name: name, replacing: replacing.map { "\(entity).\($0)" }, filling: [entity])
    ) { context in
      try context.forEach(definition) { old in
        _ = try context.transaction.updateStored(ObjectID<Object>(old.id)) { new in try change(old, &new) }
      }
    }
  }

  /// Deletes objects of a model, as `WriteTransaction.delete` does. Linear in the number of objects.
  ///
  /// ```swift
  /// let step = MigrationStep.deleting("no drafts", Doc.self) { old in old["isDraft"] == .bool(true) }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The step's name.
  ///   - model: The model as it is now.
  ///   - isDeleted: Whether to delete an object, given the old one. If it throws, the migration is rolled back.
  public static func deleting<Object: Model>(
    _ name: String, _ model: Object.Type, where isDeleted: @escaping @Sendable (_ old: DynamicObject) throws -> Bool
  ) -> MigrationStep {
    let definition = Object.modelDefinition
    return MigrationStep(DeclaredStep(name: name)) { context in
      var gone: [ObjectID<Object>] = []
      try context.forEach(definition) { old in if try isDeleted(old) { gone.append(ObjectID(old.id)) } }
      try context.delete(gone.map(\.number), definition)
    }
  }

  /// Removes entities, properties and indexes that the models lack, like `removing:` when opening, but once.
  ///
  /// ```swift
  /// let step = MigrationStep.removing("Doc.body", "@unique Doc.title")
  /// ```
  ///
  /// The step's name is `removing` and the names of the parts. Other steps of the plan, also later ones, can still read
  /// them.
  public static func removing(_ parts: String...) -> MigrationStep {
    MigrationStep(DeclaredStep(name: "removing \(parts.joined(separator: ", "))", removing: parts))
  }

  /// Renames an entity or a property, like `originalName:`.
  ///
  /// ```swift
  /// let step = MigrationStep.renaming("Doc.body", to: "text")
  /// ```
  ///
  /// The step's name is `renaming` and both names.
  ///
  /// - Parameters:
  ///   - old: An entity (`"Doc"`), or a property by its dotted path (`"Doc.site.town"`).
  ///   - new: The name in the models, without the path.
  public static func renaming(_ old: String, to new: String) -> MigrationStep {
    MigrationStep(DeclaredStep(name: "renaming \(old) to \(new)"), renamed: (old, new))
  }

  /// Runs any code, which can read the store before the migration and write to it, for example to move objects to
  /// another entity or split them.
  ///
  /// ```swift
  /// let step = MigrationStep.custom("places of their own", replacing: ["Quake.town"]) { old, tx in
  ///   for name in Set(try old.objects("Quake").rows(["town"]).map { $0[0] }) {
  ///     guard case .string(let name) = name else { continue }
  ///     try tx.add(Place(name: name))
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The step's name.
  ///   - replacing: Entities and properties (`"Person"`, `"Person.first"`) that are removed after the step, even if the
  ///     models have one with the same name and another type.
  ///   - filling: Entities and properties whose missing values the step provides, so that they need no default. What
  ///     `body` does not set is 0, `false`, `""` and so on afterwards.
  ///   - body: `old` is the store before the migration, accessed by name. `tx` writes. If it throws, the migration is
  ///     rolled back. Neither may be used afterwards.
  public static func custom(
    _ name: String, replacing: [String] = [], filling: [String] = [],
    _ body: @escaping @Sendable (_ old: StoreSnapshot, _ tx: WriteTransaction) throws -> Void
  ) -> MigrationStep {
    MigrationStep(DeclaredStep(name: name, replacing: replacing, filling: filling)) { context in
      try body(context.old, context.transaction)
    }
  }
}
