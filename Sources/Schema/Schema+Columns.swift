public import Values

extension Schema {
  /// The leaf columns of an entity, embedded structs flattened in place, in declaration order.
  ///
  /// A presence column comes just before the leaves of its struct, and the column of a list of structs just before its
  /// leaves. A collection of values is one column, and so is a link or a list of links. Inverses have no columns: they
  /// are the links of other objects. A struct that embeds itself ends at the repetition (validation reports it).
  public func columns(of entity: Entity) -> [Column] {
    var columns: [Column] = []
    collect(entity.properties, prefix: "", optional: false, enclosing: [entity.name], into: &columns)
    return columns
  }

  private func collect(
    _ properties: [Property], prefix: String, optional: Bool, enclosing: [String],
    into columns: inout [Column]
  ) {
    for property in properties {
      let path = prefix + property.name
      let isOptional = optional || property.isOptional
      func collection(_ kind: CollectionKind, _ type: ScalarType) -> Column {
        Column(
          path: path, kind: .collection(kind, type), isOptional: isOptional,
          defaultValue: property.defaultValue.map(kind.canonical) ?? (isOptional ? .null : kind.empty))
      }
      switch property.type {
      case .scalar(let type):
        columns.append(
          Column(
            path: path, kind: .scalar(type), isOptional: isOptional,
            defaultValue: property.defaultValue ?? (isOptional ? .null : type.zero)))
      case .embedded(let name):
        guard !enclosing.contains(name), let structure = structure(named: name) else { continue }
        if property.isOptional {
          columns.append(
            Column(
              path: path, kind: .presence, isOptional: true, defaultValue: .null))
        }
        collect(
          structure.properties, prefix: path + ".", optional: isOptional,
          enclosing: enclosing + [name], into: &columns)
      case .array(let type):
        columns.append(collection(.array, type))
      case .set(let type):
        columns.append(collection(.set, type))
      case .dictionary(let type):
        columns.append(collection(.dictionary, type))
      case .link(let target):
        columns.append(
          Column(
            path: path, kind: .link(target), isOptional: true, defaultValue: .null, deleteRule: property.deleteRule))
      case .list(let target):
        columns.append(
          Column(
            path: path, kind: .links(target), isOptional: isOptional, defaultValue: isOptional ? .null : .list([]),
            deleteRule: property.deleteRule))
      case .embeddedList(let name):
        guard !enclosing.contains(name), let structure = structure(named: name) else { continue }
        columns.append(
          Column(
            path: path, kind: .structs(name), isOptional: isOptional, defaultValue: isOptional ? .null : .int(0)))
        collectParts(
          structure.properties, prefix: path + ".", listIsOptional: isOptional,
          optional: false, enclosing: enclosing + [name], into: &columns)
      case .linkingObjects:
        continue
      }
    }
  }

  /// The leaves of the structs of a list. Properties other than single values have no column there; validation reports
  /// them.
  private func collectParts(
    _ properties: [Property], prefix: String, listIsOptional: Bool, optional: Bool,
    enclosing: [String], into columns: inout [Column]
  ) {
    for property in properties {
      let path = prefix + property.name
      let isOptional = optional || property.isOptional
      func part(_ kind: Column.Kind, _ defaultValue: Value?, _ generated: GeneratedDefault? = nil) -> Column {
        Column(
          path: path, kind: kind, isOptional: listIsOptional, defaultValue: listIsOptional ? .null : .list([]),
          part: Column.Part(
            defaultValue: defaultValue, generatedDefault: generated, isRequired: !property.isOptional))
      }
      switch property.type {
      case .scalar(let type):
        columns.append(part(.parts(type, isOptional: isOptional), property.defaultValue, property.generatedDefault))
      case .embedded(let name):
        guard !enclosing.contains(name), let structure = structure(named: name) else { continue }
        if property.isOptional { columns.append(part(.presences, nil)) }
        collectParts(
          structure.properties, prefix: path + ".", listIsOptional: listIsOptional,
          optional: isOptional, enclosing: enclosing + [name], into: &columns)
      case .array, .set, .dictionary, .embeddedList, .link, .list, .linkingObjects:
        continue
      }
    }
  }
}

extension ScalarType {
  /// The default value of this type without a declared default.
  public var zero: Value {
    switch self {
    case .bool: .bool(false)
    case .int8, .int16, .int32, .int: .int(0)
    case .float: .float(0)
    case .double: .double(0)
    case .decimal: .decimal(.zero)
    case .string: .string("")
    case .date: .date(Instant(seconds: 0))
    case .uuid: .uuid(UUIDBytes(high: 0, low: 0))
    case .data: .data([])
    }
  }
}
