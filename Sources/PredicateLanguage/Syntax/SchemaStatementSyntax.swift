public import Diagnostics
public import Values

/// A statement that changes the schema, as written.
public enum SchemaStatementSyntax: Hashable, Sendable {
  /// `CREATE INDEX ON Quake (net, time) USING folded`, `CREATE UNIQUE INDEX ON Quake (code)`
  case createIndex(IndexedPathsSyntax)
  /// `DROP INDEX ON Quake (net, time)`
  case dropIndex(IndexedPathsSyntax)
  /// `ALTER Quake ADD felt: Int? = 0`
  case addProperty(NameSyntax, PropertyDeclarationSyntax)
  /// `ALTER Quake ALTER PROPERTY mag: Double`
  case changeProperty(NameSyntax, PropertyDeclarationSyntax)
  /// `ALTER Quake DROP PROPERTY place`
  case dropProperty(NameSyntax, PropertyPathSyntax)
  /// `ALTER Quake RENAME mag TO magnitude`
  case renameProperty(NameSyntax, PropertyPathSyntax, to: NameSyntax)
  /// `RENAME Quake TO Earthquake`
  case renameEntity(NameSyntax, to: NameSyntax)
  /// `DROP ENTITY Quake`
  case dropEntity(NameSyntax)
}

/// `place`, or `location.depth` of a property of a struct.
public struct PropertyPathSyntax: Hashable, Sendable {
  /// The names, the outermost first; never empty.
  public var names: [NameSyntax]

  /// A path of names.
  public init(_ names: [NameSyntax]) { self.names = names }

  /// The path with dots.
  public var text: String { names.map(\.text).joined(separator: ".") }

  /// The range in the source.
  public var range: SourceRange {
    guard let first = names.first, let last = names.last else { return SourceRange(0, 0) }
    return first.range.union(last.range)
  }
}

/// The properties of an index, with its kind: `UNIQUE INDEX ON Quake (code)`, `INDEX ON Quake (place) USING trigram`.
public struct IndexedPathsSyntax: Hashable, Sendable {
  /// The entity.
  public var entity: NameSyntax
  /// The properties, the most significant first; never empty.
  public var paths: [PropertyPathSyntax]
  /// Whether UNIQUE is there.
  public var isUnique: Bool
  /// The kind after USING; nil without one.
  public var kind: NameSyntax?

  /// An index as written.
  public init(_ entity: NameSyntax, _ paths: [PropertyPathSyntax], isUnique: Bool = false, kind: NameSyntax? = nil) {
    self.entity = entity
    self.paths = paths
    self.isUnique = isUnique
    self.kind = kind
  }

  /// The range of the properties.
  public var range: SourceRange {
    guard let first = paths.first, let last = paths.last else { return entity.range }
    return first.range.union(last.range)
  }
}

/// `felt: Int? = 0`
public struct PropertyDeclarationSyntax: Hashable, Sendable {
  /// The property.
  public var path: PropertyPathSyntax
  /// The type, spelt as in schema text.
  public var type: PropertyTypeSyntax
  /// The default; nil without one.
  public var initialValue: PropertyDefaultSyntax?

  /// A property as declared.
  public init(_ path: PropertyPathSyntax, _ type: PropertyTypeSyntax, initialValue: PropertyDefaultSyntax? = nil) {
    self.path = path
    self.type = type
    self.initialValue = initialValue
  }
}

/// The type of a property as written: `Int?`, `[String]`, `Link<Region>?`. Which types there are is the schema's matter.
public struct PropertyTypeSyntax: Hashable, Sendable {
  /// The text with canonical spaces.
  public var text: String
  /// The range in the source.
  public var range: SourceRange

  /// A type.
  public init(_ text: String, range: SourceRange = SourceRange(0, 0)) {
    self.text = text
    self.range = range
  }

  /// Whether both are the same type, regardless of their ranges.
  public static func == (left: PropertyTypeSyntax, right: PropertyTypeSyntax) -> Bool { left.text == right.text }

  /// Hashes the type.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// The default of a property as written.
public struct PropertyDefaultSyntax: Hashable, Sendable {
  /// The kinds of default.
  public enum Kind: Sendable {
    /// A value as JSON, read as in an INSERT.
    case value(Value)
    /// `now()`: the time at which an object is created.
    case now
    /// `uuid()`: a random UUID for each object.
    case uuid
  }

  /// The default.
  public var kind: Kind
  /// The range in the source.
  public var range: SourceRange

  /// A default.
  public init(_ kind: Kind, range: SourceRange = SourceRange(0, 0)) {
    self.kind = kind
    self.range = range
  }

  /// Whether both are the same default, regardless of their ranges.
  public static func == (left: PropertyDefaultSyntax, right: PropertyDefaultSyntax) -> Bool {
    switch (left.kind, right.kind) {
    case (.value(let first), .value(let second)): first.saysSame(as: second)
    case (.now, .now), (.uuid, .uuid): true
    case (.value, _), (.now, _), (.uuid, _): false
    }
  }

  /// Hashes the default.
  public func hash(into hasher: inout Hasher) {
    switch kind {
    case .value(let value): value.hashWhatItSays(into: &hasher)
    case .now: hasher.combine(1)
    case .uuid: hasher.combine(2)
    }
  }
}
