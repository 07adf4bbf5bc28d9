internal import Storage

/// A step of a `MigrationPlan`. A store remembers by its name that it was done.
public struct MigrationStep: Sendable {
  /// Its name, which is also what an error names it by.
  public let name: String
  /// What it is to the schema.
  let declared: DeclaredStep
  /// What goes by another name, as `SchemaPart` reads it, and its new name.
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
  /// Gives a property of each object a value made of that of an old one, which then goes: of any type, under the same name
  /// or another.
  ///
  /// ```swift
  /// .convert("magnitudes are numbers", Quake.self, "mag", to: \.magnitude) { (old: String) in Double(old) ?? 0 }
  /// ```
  ///
  /// A store that does not have the old property is left as it is. Linear in the number of objects.
  ///
  /// - Parameters:
  ///   - name: The step's name.
  ///   - model: The model as it is now.
  ///   - old: The dotted path of the old property.
  ///   - keyPath: The property that gets the value. It needs no default.
  ///   - transform: Makes the value. Where the old property may be nil, it takes an optional. What it throws undoes the
  ///     migration.
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

  /// Changes each object of a model: `change` gets it as it was, and as it is now, and what it makes of that is kept.
  ///
  /// ```swift
  /// .each("one name", Person.self, replacing: ["first", "last"]) { old, new in
  ///   new.name = try old.value(at: "first", as: String.self) + " " + old.value(at: "last", as: String.self)
  /// }
  /// ```
  ///
  /// New properties of the model need no default: before the step they are 0, `false`, `""` and the like. A property whose
  /// type has no such value, such as an enum, needs one, or is given its value by `convert`.
  /// Objects that earlier steps added are left out. Linear in the number of objects.
  ///
  /// - Parameters:
  ///   - name: The step's name.
  ///   - model: The model as it is now.
  ///   - replacing: The dotted paths of old properties that go after it, also where the model has one of that name and
  ///     another type. In a store that lacks one of them, new properties need a default.
  ///   - change: Changes an object. What it throws undoes the migration.
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
  /// .deleting("no drafts", Doc.self) { old in old["isDraft"] == .bool(true) }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The step's name.
  ///   - model: The model as it is now.
  ///   - isDeleted: Whether an object goes, by what it was. What it throws undoes the migration.
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

  /// Removes entities, properties and indexes that the models lack, as `removing:` of opening does, once.
  ///
  /// ```swift
  /// .removing("Doc.body", "@unique Doc.title")
  /// ```
  ///
  /// Its name is `removing`, and the names of what goes. Other steps of the plan, also later ones, still see it.
  public static func removing(_ parts: String...) -> MigrationStep {
    MigrationStep(DeclaredStep(name: "removing \(parts.joined(separator: ", "))", removing: parts))
  }

  /// Gives an entity or a property another name, as `originalName:` does.
  ///
  /// ```swift
  /// .renaming("Doc.body", to: "text")
  /// ```
  ///
  /// Its name is `renaming`, and both names.
  ///
  /// - Parameters:
  ///   - old: An entity (`"Doc"`), or a property by its dotted path (`"Doc.site.town"`).
  ///   - new: The name that it has in the models, alone.
  public static func renaming(_ old: String, to new: String) -> MigrationStep {
    MigrationStep(DeclaredStep(name: "renaming \(old) to \(new)"), renamed: (old, new))
  }

  /// Does whatever it wants: reads the store as it was, and writes to it as it is now. Objects move to another entity so,
  /// or become several.
  ///
  /// ```swift
  /// .custom("places of their own", replacing: ["Quake.town"]) { old, tx in
  ///   for name in Set(try old.objects("Quake").rows(["town"]).map { $0[0] }) {
  ///     guard case .string(let name) = name else { continue }
  ///     try tx.add(Place(name: name))
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The step's name.
  ///   - replacing: Entities and properties (`"Person"`, `"Person.first"`) that go after it, also where the models have one
  ///     of that name and another type.
  ///   - filling: Entities and properties whose objects it gives the values that they lack, so that they need no default.
  ///   - body: `old` is the store as it was: use it by name. `tx` writes. What it throws undoes the migration. Nothing of
  ///     either may be used afterwards.
  public static func custom(
    _ name: String, replacing: [String] = [], filling: [String] = [],
    _ body: @escaping @Sendable (_ old: StoreSnapshot, _ tx: WriteTransaction) throws -> Void
  ) -> MigrationStep {
    MigrationStep(DeclaredStep(name: name, replacing: replacing, filling: filling)) { context in
      try body(context.old, context.transaction)
    }
  }
}
