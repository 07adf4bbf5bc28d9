public import Diagnostics

extension Schema {
  /// All errors and warnings for the schema, in declaration order; empty for a valid schema.
  ///
  /// A schema without errors has unique names, existing types, no struct within itself, indexes over supported columns,
  /// and defaults of the right type.
  public func validate() -> [Diagnostic] { diagnose { _ in nil } }

  /// Like `validate`, with the source ranges of the errors.
  func diagnose(_ range: @escaping (SchemaPlace) -> SourceRange?) -> [Diagnostic] {
    var validation = SchemaValidation(self, range)
    validation.run()
    return validation.diagnostics
  }
}

/// A declaration of a schema, by number: entities first, then embedded structs.
enum SchemaPlace: Hashable {
  case structure(Int)
  case property(Int, Int)
  case index(Int, Int)
}

/// One pass over a schema that collects errors and warnings.
struct SchemaValidation {
  /// How deep structs may be embedded in structs.
  static let maximumDepth = 32
  /// The maximum number of leaf columns of an entity.
  static let maximumColumns = 4096

  let schema: Schema
  private let range: (SchemaPlace) -> SourceRange?
  private(set) var diagnostics: [Diagnostic] = []
  /// The structs by name, the first of each.
  let structures: [String: Entity]
  let entityNames: Set<String>
  /// The leaf columns of the structs already counted.
  private var columnCounts: [String: Int] = [:]
  /// Whether a struct was too large: the structs that contain it are also too large, which is not reported again.
  private var reportedSize = false

  init(_ schema: Schema, _ range: @escaping (SchemaPlace) -> SourceRange?) {
    self.schema = schema
    self.range = range
    structures = Dictionary(
      (schema.embedded + schema.entities).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    entityNames = Set(schema.entities.map(\.name))
  }

  mutating func report(
    _ code: DiagnosticCode, _ message: String, at place: SchemaPlace, severity: Diagnostic.Severity = .error,
    notes: [String] = []
  ) {
    diagnostics.append(
      Diagnostic(code: code, severity: severity, message: message, range: range(place), notes: notes))
  }

  mutating func run() {
    var names: Set<String> = []
    var originalNames: Set<String> = []
    for (number, structure) in (schema.entities + schema.embedded).enumerated() {
      let place = SchemaPlace.structure(number)
      checkName(structure.name, "a struct", at: place)
      if !names.insert(structure.name).inserted {
        report(.duplicateName, "'\(structure.name)' is declared twice", at: place)
      }
      if Self.takenNames.contains(structure.name) {
        report(.reservedName, "'\(structure.name)' is the name of a type of ours", at: place)
      }
      for original in structure.originalNames {
        checkName(original, "a struct", at: place)
        if original != structure.name, structures[original] != nil {
          report(
            .nameInUse, "'\(structure.name)' was '\(original)', but there is a model of that name", at: place)
        } else if !originalNames.insert(original).inserted {
          report(.nameInUse, "two models were '\(original)'", at: place)
        }
      }
      let isEmbedded = number >= schema.entities.count
      if structure.properties.isEmpty {
        report(.noProperties, "'\(structure.name)' has no properties", at: place, severity: .warning)
      }
      checkProperties(of: structure, number, isEmbedded: isEmbedded)
      guard checkSize(of: structure, at: place) else { continue }
      if isEmbedded, !structure.indexes.isEmpty {
        report(
          .indexOfEmbedded, "'\(structure.name)' is only embedded: an index belongs to the entity that holds it",
          at: .index(number, 0), notes: [#"write it there, as '#Index<…>([\.property.name])'"#])
      } else if !isEmbedded {
        checkIndexes(of: structure, number)
      }
    }
  }

  private static let takenNames: Set<String> = Set(
    ScalarType.allCases.map(\.rawValue) + [
      "Int64", "Set", "Array", "Dictionary", "Optional", "Link", "List", "LinkingObjects",
    ])

  mutating func checkName(_ name: String, _ what: String, at place: SchemaPlace) {
    let first = name.utf8.first ?? UInt8(ascii: "0")
    if !SwiftWords.isName(name) || (first >= UInt8(ascii: "0") && first <= UInt8(ascii: "9")) {
      report(
        .invalidName, "'\(name)' cannot be the name of \(what)", at: place,
        notes: ["a name begins with a letter or '_' and is made of letters, digits and '_'"])
    }
  }

  // MARK: Size

  /// Whether the columns of an entity can be counted and are not too many.
  private mutating func checkSize(of entity: Entity, at place: SchemaPlace) -> Bool {
    var enclosing: [String] = []
    switch count(entity, &enclosing) {
    case .columns(let count) where count <= Self.maximumColumns:
      return true
    case .columns where !reportedSize:
      reportedSize = true
      report(.tooManyColumns, "'\(entity.name)' has more than \(Self.maximumColumns) columns", at: place)
    case .cycle(let name):
      report(.selfEmbedding, "'\(name)' is embedded in itself", at: place, notes: ["use a 'Link<\(name)>?' instead"])
    case .tooDeep where !reportedSize:
      reportedSize = true
      report(.nestingTooDeep, "'\(entity.name)' embeds structs more than \(Self.maximumDepth) deep", at: place)
    case .columns, .tooDeep:
      break
    }
    return false
  }

  private enum Size {
    case columns(Int)
    case cycle(String)
    case tooDeep
  }

  /// Counts the leaf columns, each struct once, without making them.
  private mutating func count(_ structure: Entity, _ enclosing: inout [String]) -> Size {
    if let count = columnCounts[structure.name] { return .columns(count) }
    if enclosing.contains(structure.name) { return .cycle(structure.name) }
    guard enclosing.count <= Self.maximumDepth else { return .tooDeep }
    enclosing.append(structure.name)
    defer { enclosing.removeLast() }
    var total = 0
    for property in structure.properties {
      switch property.type {
      case .embedded(let name), .embeddedList(let name):
        guard let inner = structures[name] else { continue }
        switch count(inner, &enclosing) {
        case .columns(let count): total = min(total + count + 1, Self.maximumColumns + 1)
        case let failure: return failure
        }
      default:
        total += 1
      }
    }
    columnCounts[structure.name] = total
    return .columns(total)
  }
}
