public import FoundationEssentials
internal import Storage

extension Store {
  /// Opens the store in a folder for the given models, and makes it when it is not there.
  ///
  /// **Nothing stored is dropped unless `removing` names it.** What the models lack stays in the file, unseen: properties
  /// (also of embedded structs), entities, indexes. Values of a model do not show it, `update` and `upsert` leave it as it
  /// is, new objects get its default there (`add` refuses one where a property that must have a value has none), and it is
  /// seen by name: in queries, `objects("Doc")` and `objquery`.
  ///
  /// What the models have and the file lacks is added. Objects that are there get the default of a new property: one that
  /// is a literal at once, without being written; one that is an expression, such as `UUID()`, is run for each object. A
  /// property that is renamed by `@Attribute(originalName:)` keeps its values, a model that is by `@Model(originalName:)`
  /// its objects and the links to them. Where a type differs, values become those of the declared one by themselves: numbers
  /// wider ones, whole numbers `Double` where each is one, `Bool` 0 and 1, a value the only element of an array, nil the
  /// default. Whatever else is to be done, a `migration` does. All of it happens in one commit, or nothing does.
  ///
  /// ```swift
  /// let store = try Store(path, models: Doc.self, removing: ["Doc.body", "@unique Doc.title"])
  /// ```
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - models: The models whose values are objects. Embedded ones, and those that others link to, need not be named.
  ///   - mode: Whether it may be written, and what happens when the folder has none. What is read only is opened with models
  ///     that need no change of it.
  ///   - removing: What goes from the file, with its values: an entity (`"Doc"`), a property by its dotted path
  ///     (`"Doc.body"`, `"Doc.site.town"`), an index, which takes back uniqueness (`"@unique User.email"`,
  ///     `"@indexed Quake.magnitude+time"`, also `@folded` and `@trigram`). What is gone already is no matter, so a program
  ///     may go on saying it (`notes` has a sentence then, as of any name that is not in the file); what the models declare
  ///     is refused.
  ///   - keeping: Properties and entities that the models lack and that were not renamed, by their names (`"Doc.body"`,
  ///     `"Doc"`): said once, where opening asks. The file remembers it.
  ///   - migration: Steps that are done once to each store, in the same commit.
  ///   - cancellation: Stops it from outside, also while it waits for another writer or builds a new index.
  /// - Throws: `MigrationError` when a step throws. `StoreError`: `notFound` by the mode; `migrationNeeded`, with a sentence for each change that needs a decision: a property holds
  ///   something else in the file; one is gone while one of its type is new (or an entity, while one with much the same
  ///   properties is), so that it was probably renamed; one must have a value, has no default, and there are objects; one
  ///   is to be unique, and objects share a value. Then nothing was changed. `notAStore`, `newerFormat`,
  ///   `permissionDenied`, `corrupted`, … by what is in the folder.
  /// - Complexity: Constant in the number of objects, except for new indexes, for defaults that are expressions, for
  ///   what may no longer be nil, for values that become those of another type, and for steps.
  public convenience init(
    _ path: String, models: any Model.Type..., mode: OpenMode = .create, removing: [String] = [],
    keeping: [String] = [], migration: (any MigrationPlan.Type)? = nil, cancellation: Cancellation? = nil
  ) throws {
    try self.init(path, models: models, mode, removing, keeping, migration?.steps ?? [], cancellation)
  }

  /// Opens the store at a file URL for the given models.
  ///
  /// - Throws: as `init(_:models:mode:removing:keeping:migration:cancellation:)`; `notFound` for a URL that is no file URL.
  public convenience init(
    _ url: URL, models: any Model.Type..., mode: OpenMode = .create, removing: [String] = [], keeping: [String] = [],
    migration: (any MigrationPlan.Type)? = nil, cancellation: Cancellation? = nil
  ) throws {
    guard url.isFileURL else { throw StoreError.notFound(path: url.absoluteString) }
    try self.init(url.path, models: models, mode, removing, keeping, migration?.steps ?? [], cancellation)
  }

  private convenience init(
    _ path: String, models: [any Model.Type], _ mode: OpenMode, _ removing: [String], _ keeping: [String],
    _ steps: [MigrationStep], _ cancellation: Cancellation?
  ) throws {
    var (declaration, notes) = try SchemaDeclaration.declaring(models, removing: removing, keeping: keeping)
    try declaration.add(steps)
    let isMigrated = !steps.isEmpty && mode != .readOnly
    let file = try StoreFile.open(
      path, mode: mode.storageMode, declaring: isMigrated ? nil : declaration, wait: cancellation.wait,
      notes: { notes += $0 })
    if isMigrated { notes += try file.migrate(declaration, steps, cancellation) }
    self.init(file, notes: notes, declared: declaration.schema)
  }

  /// A store in memory for the given models; it is gone with its last reference.
  ///
  /// ```swift
  /// let store = try Store.inMemory(Quake.self)
  /// ```
  public static func inMemory(_ models: any Model.Type...) throws -> Store {
    let (declaration, notes) = try SchemaDeclaration.declaring(models)
    return Store(try StoreFile.inMemory(declaring: declaration.schema), notes: notes)
  }

  /// A store in memory of the given schema; it is gone with its last reference.
  public static func inMemory(schema: Schema) throws -> Store {
    let (schema, notes) = try schema.usable
    return Store(try StoreFile.inMemory(declaring: schema), notes: notes)
  }

  /// Opens the store in a folder by the schema in the file.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - mode: What to do when there is none.
  ///   - schema: A schema to declare first, as `declare` does; nil leaves the file's as it is.
  ///   - removing: What goes from the file, as `init(_:models:mode:removing:keeping:migration:cancellation:)` says.
  ///   - keeping: Properties that `schema` lacks and that were not renamed.
  ///   - cancellation: Stops it from outside, also while it waits for another writer or builds an index.
  /// - Throws: `StoreError`, as `init(_:models:mode:removing:keeping:migration:cancellation:)`; `cancelled`.
  public static func openDynamic(
    _ path: String, mode: OpenMode, schema: Schema? = nil, removing: [String] = [], keeping: [String] = [],
    cancellation: Cancellation? = nil
  ) throws -> Store {
    let declared = try schema?.usable
    var declaration = declared.map { SchemaDeclaration($0.schema, removing: removing, keeping: keeping) }
    if declaration == nil, !removing.isEmpty || !keeping.isEmpty {
      declaration = SchemaDeclaration(Schema(), removing: removing, keeping: keeping)
    }
    var notes = declared?.notes ?? []
    let file = try StoreFile.open(
      path, mode: mode.storageMode, declaring: declaration, wait: cancellation.wait, notes: { notes += $0 })
    return Store(file, notes: notes, declared: declared?.schema)
  }
}
