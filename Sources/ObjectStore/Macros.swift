/// Makes a struct a model: its stored properties become the properties of an entity, and its values can be stored,
/// queried, and embedded in other models.
///
/// A property is a `Bool`, an integer of any width, `Float`, `Double`, `Decimal`, `String`, `Date`, `UUID`, `Data`,
/// `URL`, an enum that is a `PersistableEnum`, another model (embedded: its values become part of the object), or an
/// optional of one of those; a collection of single values; or links to objects of a model: `Link<T>?`, `List<T>` and,
/// seen from the other end, `LinkingObjects<T>`. With `@Attribute(.codable)` it is of any `Codable` type. A default
/// also stands for the property in objects stored before the property existed: a literal one without being written to
/// them, an expression such as `UUID()` is run for each.
///
/// ```swift
/// @Model struct Location {
///   var name: String
///   var longitude: Double
///   var latitude: Double
/// }
///
/// @Model struct Quake {
///   #Index<Quake>([\.time], [\.magnitude, \.time])
///   @Attribute(.unique) var code: String
///   var magnitude: Double
///   var time: Date
///   var location: Location
///   var felt: Int?
/// }
/// ```
///
/// The struct gets a memberwise initialiser (unless it declares one), `objectID`, and the conformance to `Model`, by
/// which it is also `Sendable`, `Hashable` and `Identifiable`.
@attached(
  member, names: named(_objectID), named(objectID), named(objectIdentity), named(init), named(encode),
  named(modelDefinition), named(==), named(hash))
@attached(extension, conformances: Model)
public macro Model() = #externalMacro(module: "ObjectStoreMacros", type: "ModelMacro")

/// Like `@Model`, with an explicit declaration of whether values are objects or only embedded in others. Schema text
/// needs it when the use of the models does not imply it.
///
/// ```swift
/// @Model(.embedded) struct Location { var longitude = 0.0, latitude = 0.0 }
/// ```
///
/// - Parameters:
///   - role: The role of values.
///   - originalName: The names of the model in older versions, as for `Model(originalName:_:)`.
@attached(
  member, names: named(_objectID), named(objectID), named(objectIdentity), named(init), named(encode),
  named(modelDefinition), named(==), named(hash))
@attached(extension, conformances: Model)
public macro Model(_ role: ModelRole, originalName: String...) =
  #externalMacro(module: "ObjectStoreMacros", type: "ModelMacro")

/// Like `@Model`, for a model that was renamed: it keeps its objects and the links to them.
///
/// ```swift
/// @Model(originalName: "Earthquake") struct Quake { var magnitude = 0.0 }
/// ```
///
/// - Parameters:
///   - originalName: The name in the previous version. Keep it as long as files with that name may exist.
///   - earlier: The names before that, latest first.
@attached(
  member, names: named(_objectID), named(objectID), named(objectIdentity), named(init), named(encode),
  named(modelDefinition), named(==), named(hash))
@attached(extension, conformances: Model)
public macro Model(originalName: String, _ earlier: String...) =
  #externalMacro(module: "ObjectStoreMacros", type: "ModelMacro")

/// Declares the indexes on a property of a model, and its earlier names.
///
/// ```swift
/// @Model struct Quake {
///   @Attribute(.unique) var code: String
///   @Attribute(.indexed, originalName: "mag", "m") var magnitude: Double
/// }
/// ```
///
/// With `.codable` the property has any type that is `Codable`, `Hashable` and `Sendable`. It is stored as JSON in a
/// column of `Data`, read and written as a whole, and can't be used in queries. Reading an object whose JSON does not
/// match the type throws `StoreError.unreadableValue`, so new properties of the type should be optional. In a module
/// with main actor isolation by default, declare the type `nonisolated`.
///
/// ```swift
/// struct Meta: Codable, Hashable { var source = "", tags: [String] = [] }
///
/// @Model struct Photo { var name = ""; @Attribute(.codable) var meta = Meta() }
/// ```
///
/// - Parameters:
///   - options: The indexes on this property, or `.codable`.
///   - originalName: The names in older versions of the model, latest first: objects keep their values. Keep a name as
///     long as files with that name may exist.
@attached(peer)
public macro Attribute(_ options: AttributeOption..., originalName: String...) =
  #externalMacro(module: "ObjectStoreMacros", type: "AttributeMacro")

/// Declares indexes of a model, each over one or several properties, the most significant first.
///
/// ```swift
/// @Model struct Quake {
///   #Index<Quake>([\.time], [\.magnitude, \.time])
///   var time: Date
///   var magnitude: Double
/// }
/// ```
///
/// - Parameter indexes: A list of stored properties for each index; in embedded structs too, as `\.location.name`.
@freestanding(declaration)
public macro Index<Root: Model>(_ indexes: [PartialKeyPath<Root>]...) =
  #externalMacro(module: "ObjectStoreMacros", type: "IndexMacro")

/// Declares that no two objects share the values of these properties, each list together.
///
/// ```swift
/// @Model struct Station {
///   #Unique<Station>([\.network, \.code])
///   var network: String
///   var code: String
/// }
/// ```
///
/// - Parameter constraints: A list of stored properties for each constraint, which is also an index.
@freestanding(declaration)
public macro Unique<Root: Model>(_ constraints: [PartialKeyPath<Root>]...) =
  #externalMacro(module: "ObjectStoreMacros", type: "IndexMacro")

/// Declares the delete rule for the objects that a property links to, or that link to it.
///
/// ```swift
/// @Model struct Task { var name = "" }
/// @Model struct Project { var name = ""; @Relationship(deleteRule: .cascade) var tasks: List<Task> }
/// ```
///
/// With `.nullify`, the default, they stay. With `.cascade` they are also deleted, following their own rules. With
/// `.deny` the object can't be deleted while there are any.
///
/// - Parameter deleteRule: The rule.
@attached(peer)
public macro Relationship(deleteRule: DeleteRule = .nullify) =
  #externalMacro(module: "ObjectStoreMacros", type: "RelationshipMacro")

/// As `@Inverse`, with a delete rule: `@Relationship(deleteRule: .deny, inverse: \Project.tasks)`.
///
/// ```swift
/// @Model struct Project { var name = ""; var tasks: List<Task> }
/// @Model struct Task {
///   var name = ""
///   @Relationship(inverse: \Project.tasks) var projects: LinkingObjects<Project>
/// }
/// ```
///
/// - Parameters:
///   - deleteRule: The rule.
///   - inverse: The property by which they link here, a `List` or a `Link`.
@attached(peer)
public macro Relationship<Source: Model, Value: PropertyValue>(
  deleteRule: DeleteRule = .nullify, inverse: KeyPath<Source, Value>
) = #externalMacro(module: "ObjectStoreMacros", type: "RelationshipMacro")

/// Excludes a property from the store: an object that is read has the initial value.
///
/// ```swift
/// @Model struct Quake { var magnitude = 0.0; @Transient var cache = 0 }
/// ```
///
/// Its type need not be storable, only `Hashable` and `Sendable`; it counts in `==`. Queries can't use it.
@attached(peer)
public macro Transient() = #externalMacro(module: "ObjectStoreMacros", type: "TransientMacro")

/// Names the other end of a link: the property then has the objects that link here.
///
/// ```swift
/// @Model struct Project { var name = ""; var tasks: List<Task> }
/// @Model struct Task { var name = ""; @Inverse(\Project.tasks) var projects: LinkingObjects<Project> }
/// ```
///
/// - Parameter link: The property by which they link here, a `List` or a `Link`.
@attached(peer)
public macro Inverse<Source: Model, Value: PropertyValue>(_ link: KeyPath<Source, Value>) =
  #externalMacro(module: "ObjectStoreMacros", type: "InverseMacro")
