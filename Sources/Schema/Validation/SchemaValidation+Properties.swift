import Diagnostics
import Values

extension SchemaValidation {
  /// Checks names, types, defaults and former names of a struct's properties.
  mutating func checkProperties(of structure: Entity, _ number: Int, isEmbedded: Bool) {
    var names: Set<String> = []
    var originalNames: Set<String> = []
    for (offset, property) in structure.properties.enumerated() {
      let place = SchemaPlace.property(number, offset)
      let title = "'\(structure.name).\(property.name)'"
      checkName(property.name, "a property", at: place)
      if !names.insert(property.name).inserted {
        report(.duplicateName, "'\(structure.name)' has two properties '\(property.name)'", at: place)
      }
      for original in property.originalNames {
        checkName(original, "a property", at: place)
        if original != property.name, structure.property(named: original) != nil {
          report(.nameInUse, "\(title) was '\(original)', but there is a property of that name", at: place)
        } else if !originalNames.insert(original).inserted {
          report(.nameInUse, "two properties of '\(structure.name)' were '\(original)'", at: place)
        }
      }
      if property.originalNames.count > Property.originalNameLimit {
        report(
          .invalidSchema, "\(title) has more than \(Property.originalNameLimit) original names", at: place)
      }
      checkType(of: property, title, isEmbedded: isEmbedded, at: place)
      checkDefault(of: property, title, at: place)
    }
  }

  private mutating func checkType(of property: Property, _ title: String, isEmbedded: Bool, at place: SchemaPlace) {
    if property.type.isInverse, isEmbedded {
      report(
        .linkInEmbedded, "\(title) is an inverse, and nothing can link to an embedded struct", at: place,
        notes: ["declare it in the model that holds '\(structureName(of: place))'"])
    }
    switch property.type {
    case .scalar, .array, .set, .dictionary:
      break
    case .embedded(let name), .embeddedList(let name):
      if let structure = structures[name] {
        if entityNames.contains(name), let inverse = structure.properties.first(where: \.type.isInverse) {
          report(
            .linkInEmbedded, "\(title) embeds '\(name)', whose '\(inverse.name)' is an inverse", at: place,
            notes: ["nothing can link to an embedded struct: write 'Link<\(name)>?' to link to the object instead"])
        } else if case .embeddedList = property.type {
          checkElements(of: structure, title, at: place)
        }
      } else {
        reportUnknown(name, title, among: structures.keys.sorted(), at: place)
      }
    case .link(let name), .list(let name):
      if !entityNames.contains(name) { reportUnknown(name, title, among: entityNames.sorted(), at: place) }
    case .linkingObjects(let name, let inverse):
      guard let entity = schema.entity(named: name) else {
        return reportUnknown(name, title, among: entityNames.sorted(), at: place)
      }
      checkInverse(title, of: inverse, in: entity, isEmbedded: isEmbedded, at: place)
    }
    switch property.type {
    case .scalar, .embedded, .array, .set, .dictionary:
      break
    case .link:
      if !property.isOptional { report(.linkNotOptional, "\(title) is a link, which may always be nil", at: place) }
    default:
      if property.isOptional {
        report(.optionalCollection, "\(title) is a list of objects or structs, which is never nil", at: place)
      }
    }
    if property.deleteRule != .nullify {
      switch property.type {
      case .link, .list, .linkingObjects: break
      default: report(.wrongAttribute, "\(title) is not a link, so it has no delete rule", at: place)
      }
    }
  }

  /// Checks that an inverse names a link that points back to its entity.
  private mutating func checkInverse(
    _ title: String, of path: String, in source: Entity, isEmbedded: Bool, at place: SchemaPlace
  ) {
    guard let target = linkTarget(at: path, in: source) else {
      return report(
        .unknownInverse, "\(title) is the inverse of '\(source.name).\(path)', which is not a link", at: place)
    }
    let own = structureName(of: place)
    if target != own, !isEmbedded {
      report(
        .unknownInverse, "\(title) is the inverse of '\(source.name).\(path)', which links to '\(target)'", at: place,
        notes: ["it belongs to '\(target)', or the link should lead to '\(own)'"])
    }
  }

  /// The name of the struct that a property is of.
  private func structureName(of place: SchemaPlace) -> String {
    guard case .property(let number, _) = place else { return "" }
    let all = schema.entities + schema.embedded
    return all.indices.contains(number) ? all[number].name : ""
  }

  /// The target of the link at a dotted path through embedded structs; nil when there is none.
  private func linkTarget(at path: String, in source: Entity) -> String? {
    var structure: Entity? = source
    var type: PropertyType?
    for name in path.split(separator: ".", omittingEmptySubsequences: false) {
      type = structure?.property(named: String(name))?.type
      structure = if case .embedded(let inner) = type { structures[inner] } else { nil }
    }
    return if case .link(let target) = type { target } else if case .list(let target) = type { target } else { nil }
  }

  /// Checks that a struct in a list has only single values, including nested structs.
  private mutating func checkElements(of structure: Entity, _ title: String, at place: SchemaPlace) {
    guard let (path, type) = manyValues(in: structure) else { return }
    let what =
      "\(title) is a list of '\(structure.name)', whose '\(path)' is \(type.isLink ? "a link" : "a collection")"
    report(
      type.isLink ? .linkInEmbedded : .unsupportedElement, what, at: place,
      notes: [
        "the structs of a list have single values; make '\(structure.name)' a model of its own and write "
          + "'List<\(structure.name)>'"
      ])
  }

  /// The first property of a struct, or of a nested struct, that is a link or a collection.
  private func manyValues(in structure: Entity) -> (path: String, type: PropertyType)? {
    var seen: Set<String> = [structure.name]
    var waiting = [(prefix: "", structure: structure)]
    while let (prefix, next) = waiting.popLast() {
      for property in next.properties {
        switch property.type {
        case .scalar: break
        case .array, .set, .dictionary, .embeddedList, .link, .list, .linkingObjects:
          return (prefix + property.name, property.type)
        case .embedded(let name):
          if seen.insert(name).inserted, let inner = structures[name] {
            waiting.append((prefix + property.name + ".", inner))
          }
        }
      }
    }
    return nil
  }

  private mutating func reportUnknown(_ name: String, _ title: String, among names: [String], at place: SchemaPlace) {
    let near = Suggestion.nearest(to: name, among: names)
    let message =
      structures[name] == nil
      ? "\(title) is of type '\(name)', which is not declared" : "\(title) links to '\(name)', which is only embedded"
    report(.unknownType, message, at: place, notes: near.map { ["did you mean '\($0)'?"] } ?? [])
  }

  // MARK: Defaults

  private mutating func checkDefault(of property: Property, _ title: String, at place: SchemaPlace) {
    if let generated = property.generatedDefault, property.type != .scalar(generated.type) {
      report(.wrongDefault, "\(title) is '\(property.type.text)', which \(generated.text) is not", at: place)
    }
    guard let value = property.defaultValue else { return }
    if value.isNull {
      if !property.isOptional {
        report(.wrongDefault, "\(title) is not optional, so nil cannot be its default", at: place)
      }
      return
    }
    switch property.type {
    case .scalar(let type):
      if !type.holds(value) { reportDefault(value, title, "'\(type.rawValue)'", at: place) }
    case .array(let type), .set(let type):
      guard case .list(let values) = value else {
        return reportDefault(value, title, "a collection of '\(type.rawValue)'", at: place)
      }
      if let wrong = values.first(where: { !type.holds($0) }) {
        reportDefault(wrong, title, "a collection of '\(type.rawValue)'", at: place)
      }
    case .dictionary(let type):
      guard case .embedded(let fields) = value else {
        return reportDefault(value, title, "'\(CollectionKind.dictionary.name(of: type))'", at: place)
      }
      if let wrong = fields.first(where: { !type.holds($0.value) })?.value {
        reportDefault(wrong, title, "'\(CollectionKind.dictionary.name(of: type))'", at: place)
      }
    case .embeddedList, .list, .linkingObjects:
      if value != .list([]) {
        report(.wrongDefault, "\(title) can only have the empty collection as default", at: place)
      }
    case .embedded:
      report(
        .wrongDefault, "\(title) is a struct, whose own properties have the defaults", at: place)
    case .link:
      report(.wrongDefault, "\(title) is a link, which can only have nil as default", at: place)
    }
  }

  private mutating func reportDefault(_ value: Value, _ title: String, _ type: String, at place: SchemaPlace) {
    let text = SwiftLiteral.text(value)
    let shown = text.utf8.count > 40 ? "\(text.prefix(37))…" : text
    report(.wrongDefault, "\(title) is \(type), which \(shown) is not", at: place)
  }
}

extension ScalarType {
  /// Whether `value` is of this type and within its range.
  func holds(_ value: Value) -> Bool {
    switch (self, value) {
    case (.bool, .bool), (.int, .int), (.float, .float), (.double, .double), (.decimal, .decimal), (.string, .string),
      (.date, .date),
      (.uuid, .uuid), (.data, .data):
      true
    case (.int8, .int(let number)): Int8(exactly: number) != nil
    case (.int16, .int(let number)): Int16(exactly: number) != nil
    case (.int32, .int(let number)): Int32(exactly: number) != nil
    default: false
    }
  }
}
