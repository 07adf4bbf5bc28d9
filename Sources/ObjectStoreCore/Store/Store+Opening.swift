public import FoundationEssentials
internal import Storage

extension Store {
  /// Opens the store in a folder for the given models, and creates it if it does not exist.
  ///
  /// **Nothing stored is dropped unless `removing` names it.** Parts of the file that the models lack stay there,
  /// hidden: properties (also of embedded structs), entities, indexes. Model values do not show a hidden property,
  /// `update` and `upsert` leave it unchanged, and new objects get its default (`add` refuses an object when a required
  /// hidden property has no default). It can still be read by name: in queries, with `objects("Doc")` and in
  /// `objquery`.
  ///
  /// Parts of the models that the file lacks are added. Existing objects get the default of a new property: a literal
  /// applies at once, without writing the objects; an expression, such as `UUID()`, is run for each object. A property
  /// renamed with `@Attribute(originalName:)` keeps its values; a model renamed with `@Model(originalName:)` keeps its
  /// objects and the links to them. Where a type differs, these conversions are automatic: numbers to wider numbers,
  /// integers to `Double` when every value can be represented, `Bool` to 0 and 1, a value to an array with that one
  /// element, nil to the default. All other changes need a `migration`. Everything happens in one commit, or nothing
  /// does.
  ///
  /// ```swift
  /// let store = try Store(path, models: Doc.self, removing: ["Doc.body", "@unique Doc.title"])
  /// ```
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - models: The models of the objects. Embedded models and link targets need not be named.
  ///   - mode: Whether writing is allowed, and whether a missing store is created. A read-only store can be opened only
  ///     with models that require no change to the file.
  ///   - removing: The parts to remove from the file, with their values: an entity (`"Doc"`), a property by its dotted
  ///     path (`"Doc.body"`, `"Doc.site.town"`), or an index, which also lifts uniqueness (`"@unique User.email"`,
  ///     `"@indexed Quake.magnitude+time"`, also the other kinds). Names of parts already removed are allowed,
  ///     so a program can keep listing them (`notes` then has a sentence, as for any name that is not in the file);
  ///     parts that the models declare are refused.
  ///   - keeping: Properties and entities that the models lack and that were not renamed, by name (`"Doc.body"`,
  ///     `"Doc"`). Needed once, when opening asks for it; the file remembers it.
  ///   - migration: Steps that run once for each store, in the same commit.
  ///   - limits: The limits on queries and values.
  ///   - cancellation: Cancels opening, also while it waits for another writer or builds a new index.
  /// - Throws: `MigrationError` when a step throws. `StoreError`: `notFound`, depending on the mode; `migrationNeeded`,
  ///   with a sentence for each change that needs a decision: a property has an incompatible type in the file; a
  ///   property is missing while one of the same type is new (or an entity, while one with similar properties is new),
  ///   so it was probably renamed; a required property has no default, and there are objects; a property becomes
  ///   unique, and objects share a value. Nothing is changed in these cases. `notAStore`, `newerFormat`,
  ///   `unknownFeature`, `permissionDenied`, `corrupted` and others, depending on the contents of the folder.
  /// - Complexity: Constant in the number of objects, except for new indexes, defaults that are expressions, properties
  ///   that become required, values converted to another type, and migration steps.
  public convenience init(
    _ path: String, models: any Model.Type..., mode: OpenMode = .create, removing: [String] = [],
    keeping: [String] = [], migration: (any MigrationPlan.Type)? = nil, limits: Limits = Limits(),
    cancellation: Cancellation? = nil
  ) throws {
    try self.init(path, models: models, mode, removing, keeping, migration?.steps ?? [], limits, cancellation)
  }

  /// Opens the store at a file URL for the given models. Its other parameters are those for a path.
  ///
  /// ```swift
  /// let store = try Store(URL(fileURLWithPath: "/var/lib/quakes"), models: Quake.self)
  /// ```
  ///
  /// - Throws: As `init(_:models:mode:removing:keeping:migration:cancellation:)`; `notFound` for a URL that is no file
  ///   URL.
  public convenience init(
    _ url: URL, models: any Model.Type..., mode: OpenMode = .create, removing: [String] = [], keeping: [String] = [],
    migration: (any MigrationPlan.Type)? = nil, limits: Limits = Limits(), cancellation: Cancellation? = nil
  ) throws {
    guard url.isFileURL else { throw StoreError.notFound(path: url.absoluteString) }
    try self.init(url.path, models: models, mode, removing, keeping, migration?.steps ?? [], limits, cancellation)
  }

  private convenience init(
    _ path: String, models: [any Model.Type], _ mode: OpenMode, _ removing: [String], _ keeping: [String],
    _ steps: [MigrationStep], _ limits: Limits, _ cancellation: Cancellation?
  ) throws {
    var (declaration, notes) = try SchemaDeclaration.declaring(models, removing: removing, keeping: keeping)
    try limits.check(declaration.schema)
    try declaration.add(steps)
    let isMigrated = !steps.isEmpty && mode != .readOnly
    let file = try StoreFile.open(
      path, mode: mode.storageMode, declaring: isMigrated ? nil : declaration, wait: cancellation.wait,
      notes: { notes += $0 })
    if isMigrated { notes += try file.migrate(declaration, steps, cancellation) }
    self.init(file, notes: notes, declared: declaration.schema, limits: limits)
  }

  /// Creates a store in memory for the given models; it is discarded with its last reference.
  ///
  /// ```swift
  /// let store = try Store.inMemory(Quake.self)
  /// ```
  ///
  /// - Throws: `StoreError`: `unsupported` for models that can't be stored, `limitExceeded` for too many columns.
  public static func inMemory(_ models: any Model.Type..., limits: Limits = Limits()) throws -> Store {
    let (declaration, notes) = try SchemaDeclaration.declaring(models)
    try limits.check(declaration.schema)
    return Store(try StoreFile.inMemory(declaring: declaration.schema), notes: notes, limits: limits)
  }

  /// Creates a store in memory with the given schema; it is discarded with its last reference.
  ///
  /// ```swift
  /// let store = try Store.inMemory(schema: SchemaText.parse(text))
  /// ```
  ///
  /// - Throws: `StoreError`: `unsupported` for a schema that is invalid in itself, `limitExceeded` for too many
  ///   columns.
  public static func inMemory(schema: Schema, limits: Limits = Limits()) throws -> Store {
    let (schema, notes) = try schema.usable
    try limits.check(schema)
    return Store(try StoreFile.inMemory(declaring: schema), notes: notes, limits: limits)
  }

  /// Opens the store in a folder with the schema stored in the file.
  ///
  /// ```swift
  /// let store = try Store.openDynamic(path, mode: .readOnly)
  /// print(try store.objects("Quake").count)
  /// ```
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - mode: Whether writing is allowed, and whether a missing store is created.
  ///   - schema: A schema to declare first, as with `declare`; nil leaves the schema of the file unchanged.
  ///   - removing: The parts to remove from the file, as for
  ///     `init(_:models:mode:removing:keeping:migration:cancellation:)`.
  ///   - keeping: Properties that `schema` lacks and that were not renamed.
  ///   - limits: The limits on queries and values.
  ///   - cancellation: Cancels opening, also while it waits for another writer or builds an index.
  /// - Throws: `StoreError`, as `init(_:models:mode:removing:keeping:migration:cancellation:)`; `cancelled`.
  public static func openDynamic(
    _ path: String, mode: OpenMode, schema: Schema? = nil, removing: [String] = [], keeping: [String] = [],
    limits: Limits = Limits(), cancellation: Cancellation? = nil
  ) throws -> Store {
    let declared = try schema?.usable
    if let schema = declared?.schema { try limits.check(schema) }
    var declaration = declared.map { SchemaDeclaration($0.schema, removing: removing, keeping: keeping) }
    if declaration == nil, !removing.isEmpty || !keeping.isEmpty {
      declaration = SchemaDeclaration(Schema(), removing: removing, keeping: keeping)
    }
    var notes = declared?.notes ?? []
    let file = try StoreFile.open(
      path, mode: mode.storageMode, declaring: declaration, wait: cancellation.wait, notes: { notes += $0 })
    return Store(file, notes: notes, declared: declared?.schema, limits: limits)
  }
}
