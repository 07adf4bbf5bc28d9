internal import Schema

// Declarations in the catalog: entities with their properties and indexes, as people wrote them.

extension RecordWriter {
  mutating func put(entity: Entity) {
    put(entity.name)
    put(each: entity.properties) { $0.put(property: $1) }
    put(each: entity.indexes) { $0.put(index: $1) }
  }

  mutating func put(index: Index) {
    put(index.kind.rawValue)
    put(each: index.paths) { $0.put($1) }
  }

  private mutating func put(property: Property) {
    put(property.name)
    put(type: property.type)
    put(property.isOptional)
    put(optional: property.defaultValue) { $0.put(value: $1) }
    // Older files have a Bool here, for a single name. Its byte is a valid count.
    put(UInt8(clamping: property.originalNames.count))
    for name in property.originalNames.prefix(Int(UInt8.max)) { put(name) }
    put(property.deleteRule.rawValue)
  }

  private mutating func put(type: PropertyType) {
    switch type {
    case .scalar(let scalar): put(tag: 0, scalar.rawValue)
    case .embedded(let name): put(tag: 1, name)
    case .array(let scalar): put(tag: 2, scalar.rawValue)
    case .set(let scalar): put(tag: 3, scalar.rawValue)
    case .dictionary(let scalar): put(tag: 4, scalar.rawValue)
    case .embeddedList(let name): put(tag: 5, name)
    case .link(let name): put(tag: 6, name)
    case .list(let name): put(tag: 7, name)
    case .linkingObjects(let entity, let property):
      put(tag: 8, entity)
      put(property)
    }
  }

  private mutating func put(tag: UInt8, _ text: String) {
    put(tag)
    put(text)
  }
}

extension RecordReader {
  mutating func entity() throws(RecordDamage) -> Entity {
    Entity(
      name: try text(),
      properties: try each { (reader: inout RecordReader) throws(RecordDamage) in try reader.property() },
      indexes: try each { (reader: inout RecordReader) throws(RecordDamage) in try reader.index() })
  }

  mutating func index() throws(RecordDamage) -> Index {
    Index(
      kind: try word(),
      paths: try each { (reader: inout RecordReader) throws(RecordDamage) in try reader.text() })
  }

  mutating func generatedDefault() throws(RecordDamage) -> (place: PropertyPlace, value: GeneratedDefault) {
    (PropertyPlace(structure: try text(), property: try text()), try word())
  }

  private mutating func property() throws(RecordDamage) -> Property {
    Property(
      name: try text(), type: try propertyType(), isOptional: try flag(),
      defaultValue: try optional { (reader: inout RecordReader) throws(RecordDamage) in try reader.value() },
      originalNames: try originalNames(),
      deleteRule: try word())
  }

  private mutating func originalNames() throws(RecordDamage) -> [String] {
    var names: [String] = []
    for _ in 0..<(try byte()) { names.append(try text()) }
    return names
  }

  private mutating func propertyType() throws(RecordDamage) -> PropertyType {
    switch try byte() {
    case 0: return .scalar(try word())
    case 1: return .embedded(try text())
    case 2: return .array(try word())
    case 3: return .set(try word())
    case 4: return .dictionary(try word())
    case 5: return .embeddedList(try text())
    case 6: return .link(try text())
    case 7: return .list(try text())
    case 8: return .linkingObjects(entity: try text(), property: try text())
    case let tag: throw RecordDamage(what: "\(tag) is not a type of property")
    }
  }

  /// Reads a case of an enumeration.
  private mutating func word<T: RawRepresentable<String>>() throws(RecordDamage) -> T {
    let raw = try text()
    guard let value = T(rawValue: raw) else { throw RecordDamage(what: "'\(raw)' is not a word it may contain") }
    return value
  }
}
