import Diagnostics
import Values

/// Converts declarations to a schema: looks up type names, types the defaults, and decides which structs are entities.
/// It keeps source ranges, so that the errors of `Schema.validate` have places.
struct SchemaResolver {
  private let models: [ModelSyntax]
  /// Structs without `@Model`, and their positions.
  let otherStructs: [String: SourceRange]
  /// The models' names.
  let names: Set<String>
  private(set) var diagnostics: [Diagnostic]

  init(_ parser: SchemaParser) {
    models = parser.models
    otherStructs = Dictionary(parser.otherStructs.map { ($0.name, $0.range) }, uniquingKeysWith: { first, _ in first })
    diagnostics = parser.diagnostics
    names = Set(parser.models.map(\.name))
  }

  /// A resolver of types alone, which may name these structs.
  init(names: [String], _ diagnostics: [Diagnostic]) {
    models = []
    otherStructs = [:]
    self.diagnostics = diagnostics
    self.names = Set(names)
  }

  mutating func resolve() -> Schema {
    var structures: [Entity] = []
    var propertyPlaces: [[SourceRange]] = []
    var indexPlaces: [[SourceRange]] = []
    for model in models {
      let (entity, propertyRanges, indexRanges) = resolve(model)
      structures.append(entity)
      propertyPlaces.append(propertyRanges)
      indexPlaces.append(indexRanges)
    }
    let isEmbedded = roles(of: structures)
    let order = structures.indices.filter { !isEmbedded[$0] } + structures.indices.filter { isEmbedded[$0] }
    let schema = Schema(
      entities: structures.indices.filter { !isEmbedded[$0] }.map { structures[$0] },
      embedded: structures.indices.filter { isEmbedded[$0] }.map { structures[$0] })
    // Unreadable parts are missing here, so only the parser's errors are reported.
    guard diagnostics.isEmpty else { return schema }
    diagnostics = schema.diagnose { [models, propertyPlaces, indexPlaces] place in
      switch place {
      case .structure(let number): models[order[number]].range
      case .property(let number, let property): propertyPlaces[order[number]][property]
      case .index(let number, let index): indexPlaces[order[number]][index]
      }
    }
    return schema
  }

  /// Which structs are only ever embedded.
  private func roles(of structures: [Entity]) -> [Bool] {
    zip(models, Schema.embeddedByUse(structures)).map { model, byUse in model.role.map { $0 == .embedded } ?? byUse }
  }

  mutating func report(
    _ code: DiagnosticCode, _ message: String, at range: SourceRange, notes: [String] = [], fixes: [Fix] = []
  ) {
    diagnostics.append(Diagnostic(code: code, message: message, range: range, notes: notes, fixes: fixes))
  }

  // MARK: A model

  private mutating func resolve(_ model: ModelSyntax) -> (Entity, [SourceRange], [SourceRange]) {
    var entity = Entity(name: model.name, properties: [], originalNames: model.originalNames)
    var propertyRanges: [SourceRange] = []
    var indexRanges: [SourceRange] = []
    for declared in model.properties {
      var indexes: [IndexSyntax] = []
      guard let property = resolve(declared, indexes: &indexes) else { continue }
      entity.properties.append(property)
      propertyRanges.append(declared.range)
      entity.indexes += indexes.map(\.index)
      indexRanges += indexes.map(\.range)
    }
    entity.indexes += model.indexes.map(\.index)
    indexRanges += model.indexes.map(\.range)
    return (entity, propertyRanges, indexRanges)
  }

  private mutating func resolve(_ declared: PropertySyntax, indexes: inout [IndexSyntax]) -> Property? {
    let inverse = inverse(of: declared)
    var property: Property
    if let type = declared.type {
      guard let (kind, isOptional) = resolve(type, inverse: inverse, in: declared) else { return nil }
      property = Property(name: declared.name, type: kind, isOptional: isOptional)
    } else if let value = declared.initialValue {
      guard let kind = inferred(from: value) else {
        report(.noType, "the type of '\(declared.name)' does not follow from its default: write it", at: value.range)
        return nil
      }
      property = Property(name: declared.name, type: kind)
    } else {
      report(.noType, "'\(declared.name)' has neither a type nor a default", at: declared.range)
      return nil
    }
    if let value = declared.initialValue {
      property.defaultValue = resolve(value, for: property)
      if case .generated(let generated) = value.kind { property.generatedDefault = generated }
    }
    for attribute in declared.attributes { apply(attribute, to: &property, indexes: &indexes) }
    if inverse != nil {
      if case .linkingObjects = property.type {
      } else {
        report(.wrongAttribute, "'@Inverse' belongs to a 'LinkingObjects<…>'", at: declared.range)
      }
    }
    return property
  }

  // MARK: Attributes

  private mutating func inverse(of declared: PropertySyntax) -> KeyPathSyntax? {
    guard let attribute = declared.attributes.first(where: { $0.name == "Inverse" }) else { return nil }
    if attribute.arguments.count == 1, case .keyPath(let path) = attribute.arguments[0].kind {
      return path
    }
    report(
      .invalidSchema, #"'@Inverse' takes the link it is the inverse of, such as '\Project.tasks'"#, at: attribute.range)
    return nil
  }

  private mutating func apply(_ attribute: AttributeSyntax, to property: inout Property, indexes: inout [IndexSyntax]) {
    switch attribute.name {
    case "Attribute":
      for argument in attribute.labelled { apply(argument, to: &property, indexes: &indexes) }
    case "Relationship":
      for argument in attribute.arguments {
        guard argument.label == "deleteRule", case .member(let word) = argument.kind else {
          let notes = argument.label == "inverse" ? [#"the other side says '@Inverse(\Project.tasks)'"#] : []
          report(.unknownArgument, "'@Relationship' takes 'deleteRule:' only", at: argument.range, notes: notes)
          continue
        }
        guard let rule = DeleteRule(rawValue: word) else {
          report(
            .unknownDeleteRule, "there is no delete rule '\(word)'", at: argument.range,
            notes: ["the rules are .nullify, .cascade and .deny"])
          continue
        }
        property.deleteRule = rule
      }
    case "Inverse":
      break
    default:
      var fixes: [Fix] = []
      if let near = Suggestion.nearest(to: attribute.name, among: SchemaParser.attributes) {
        fixes.append(Fix(message: "write '@\(near)'", range: attribute.range, replacement: "@\(near)"))
      }
      report(.unknownAttribute, "there is no attribute '@\(attribute.name)'", at: attribute.range, fixes: fixes)
    }
  }

  private mutating func apply(_ argument: ArgumentSyntax, to property: inout Property, indexes: inout [IndexSyntax]) {
    switch (argument.label, argument.kind) {
    case ("originalName", .string(let name)):
      property.originalNames.append(name)
    case (nil, .member(let word)):
      if let kind = IndexKind(attribute: word) {
        indexes.append(IndexSyntax(index: Index(kind: kind, paths: [property.name]), range: argument.range))
        return
      }
      let options = IndexKind.declarable.map(\.attribute)
      var fixes: [Fix] = []
      if let near = Suggestion.nearest(to: word, among: options) {
        fixes.append(Fix(message: "write '.\(near)'", range: argument.range, replacement: ".\(near)"))
      }
      report(
        .unknownOption, "'@Attribute' has no option '.\(word)'", at: argument.range,
        notes: ["the options are \(options.map { ".\($0)" }.joined(separator: ", ")) and originalName:"], fixes: fixes)
    default:
      report(
        .unknownArgument, "'@Attribute' takes options such as '.unique', and 'originalName:'", at: argument.range)
    }
  }
}
