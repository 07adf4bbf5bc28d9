import Values

/// Writes a schema as Swift: embedded structs first where they are first needed, then entities, in declaration order.
struct SchemaPrinter {
  private let schema: Schema
  private var output = ""

  static func print(_ schema: Schema) -> String {
    var printer = SchemaPrinter(schema)
    printer.run()
    return printer.output
  }

  private init(_ schema: Schema) { self.schema = schema }

  private mutating func run() {
    let structures = schema.embedded + schema.entities
    let byUse = Schema.embeddedByUse(structures)
    for (number, structure) in structures.enumerated() {
      if number > 0 { output += "\n" }
      let isEmbedded = number < schema.embedded.count
      var arguments = isEmbedded == byUse[number] ? [] : isEmbedded ? [".embedded"] : [".entity"]
      if !structure.originalNames.isEmpty { arguments.append(originalNames(structure.originalNames)) }
      output += "@Model" + (arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))")
      print(structure)
    }
  }

  private mutating func print(_ structure: Entity) {
    output += " struct \(SwiftWords.spelled(structure.name)) {\n"
    let (attributes, rest) = split(structure.indexes, of: structure.properties)
    for group in rest { output += "  \(macro(group, of: structure))\n" }
    if !rest.isEmpty, !structure.properties.isEmpty { output += "\n" }
    for (property, indexes) in zip(structure.properties, attributes) {
      output += "  \(line(property, indexes))\n"
    }
    output += "}\n"
  }

  private func originalNames(_ names: [String]) -> String {
    "originalName: " + names.map(SwiftLiteral.string).joined(separator: ", ")
  }

  // MARK: Indexes

  /// The indexes that attributes of the properties declare, per property, and the others in runs of one macro each.
  /// Reading puts the indexes of attributes first, so they are the longest prefix that matches the order of the
  /// properties.
  private func split(_ indexes: [Index], of properties: [Property]) -> ([[IndexKind]], [[Index]]) {
    var attributes: [[IndexKind]] = Array(repeating: [], count: properties.count)
    var next = 0
    var property = 0
    while next < indexes.count, indexes[next].paths.count == 1,
      let found = properties[property...].firstIndex(where: { $0.name == indexes[next].paths[0] })
    {
      attributes[found].append(indexes[next].kind)
      property = found
      next += 1
    }
    var groups: [[Index]] = []
    for index in indexes[next...] {
      if let last = groups.last?.last, (last.kind == .unique) == (index.kind == .unique) {
        groups[groups.count - 1].append(index)
      } else {
        groups.append([index])
      }
    }
    return (attributes, groups)
  }

  /// A dotted path as a key path spells it.
  private func spelled(_ path: String) -> String {
    path.split(separator: ".").map { SwiftWords.spelled(String($0)) }.joined(separator: ".")
  }

  private func macro(_ indexes: [Index], of structure: Entity) -> String {
    let arguments = indexes.map { index in
      let paths = index.paths.map { "\\." + spelled($0) }.joined(separator: ", ")
      return index.kind == .ordered || index.kind == .unique ? "[\(paths)]" : ".\(index.kind.attribute)([\(paths)])"
    }
    let name = indexes.first?.kind == .unique ? "#Unique" : "#Index"
    return "\(name)<\(SwiftWords.spelled(structure.name))>(\(arguments.joined(separator: ", ")))"
  }

  // MARK: Properties

  private func line(_ property: Property, _ indexes: [IndexKind]) -> String {
    var line = ""
    var options = indexes.map { ".\($0.attribute)" }
    if !property.originalNames.isEmpty {
      options.append(originalNames(property.originalNames))
    }
    if !options.isEmpty { line += "@Attribute(\(options.joined(separator: ", "))) " }
    if property.deleteRule != .nullify { line += "@Relationship(deleteRule: .\(property.deleteRule.rawValue)) " }
    if case .linkingObjects(let entity, let inverse) = property.type {
      line += "@Inverse(\\\(SwiftWords.spelled(entity)).\(spelled(inverse))) "
    }
    line += "var \(SwiftWords.spelled(property.name)): \(property.typeText)"
    if let generated = property.generatedDefault {
      line += " = \(generated.text)"
    } else if let value = property.defaultValue {
      line += " = \(SwiftLiteral.text(value))"
    }
    return line
  }
}

extension Property {
  /// Its type, as written in schema text.
  public var typeText: String { isOptional ? type.text + "?" : type.text }
}

extension PropertyType {
  /// The type, as written in schema text, without the question mark of an optional.
  public var text: String {
    switch self {
    case .scalar(let type): type.rawValue
    case .embedded(let name): SwiftWords.spelled(name)
    case .array(let type): CollectionKind.array.name(of: type)
    case .set(let type): CollectionKind.set.name(of: type)
    case .dictionary(let type): CollectionKind.dictionary.name(of: type)
    case .embeddedList(let name): "[\(SwiftWords.spelled(name))]"
    case .link(let name): "Link<\(SwiftWords.spelled(name))>"
    case .list(let name): "List<\(SwiftWords.spelled(name))>"
    case .linkingObjects(let name, _): "LinkingObjects<\(SwiftWords.spelled(name))>"
    }
  }
}
