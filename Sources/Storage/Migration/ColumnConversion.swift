internal import Schema
internal import Values

/// A column whose values are converted, object by object, from those of a column with another type.
struct ColumnConversion {
  /// The kind of conversion.
  enum Form {
    /// The value, or each element of it, is converted to the new type.
    case same
    /// It becomes the only element of an array or list of links.
    case element
    /// A leaf of a struct becomes that of the only struct of a list.
    case part
    /// The number of structs in a list, from the presence of a single struct.
    case count
  }

  /// The number of the entity.
  var entity: UInt32
  /// The path of the column.
  var path: String
  /// The number of the old column; nil for the number of structs if the struct always existed.
  var former: UInt32?
  /// The path of the old column.
  var formerPath: String
  var form: Form
  /// The numbers of the presence columns of the structs around the property.
  var outer: [UInt32]
  /// The number of the old presence column of the struct that is a list now.
  var own: UInt32?
  /// Whether the property may be nil if the structs around it exist.
  var mayBeNil: Bool
  /// The content for objects whose value was nil if nil is no longer allowed.
  var gap: SchemaFill.Content
}

extension SchemaMigration {
  /// The conversion from a column with another type; nil if none is needed.
  func conversion(
    of column: Column, in entity: Entity, _ former: FormerColumns, _ value: Value, _ number: UInt32
  ) -> ColumnConversion? {
    guard let formerPath = former.paths[column.path] else { return nil }
    let match = former.column(column.path)
    let steps = remaining.properties(along: formerPath, of: entity.name)
    let form: ColumnConversion.Form
    switch (match?.column.kind, column.kind) {
    case (.scalar(let old)?, .scalar(let new)), (.collection(.array, let old)?, .collection(.array, let new)),
      (.collection(.set, let old)?, .collection(.set, let new)),
      (.collection(.dictionary, let old)?, .collection(.dictionary, let new)),
      (.parts(let old, _)?, .parts(let new, _)):
      guard old != new, !old.widens(to: new), old.converts(to: new) else { return nil }
      form = .same
    case (.scalar(let old)?, .collection(.array, let new)):
      guard old == new || old.converts(to: new) else { return nil }
      form = .element
    case (.link(let old)?, .links(let new)):
      guard old == new else { return nil }
      form = .element
    case (.scalar(let old)?, .parts(let new, _)):
      guard old == new || old.converts(to: new) else { return nil }
      form = .part
    case (.presence?, .presences): form = .part
    case (.presence?, .structs): form = .count
    case (nil, .structs):
      guard case .embedded? = steps.last?.property.type else { return nil }
      form = .count
    default: return nil
    }
    let declared = target.schema.properties(along: column.path, of: entity.name)
    let list = declared.first { $0.property.type.isStructList }
    // The property whose type changes: for a property of a struct that became a list, the struct.
    let isStruct = form == .part || form == .count
    let changed = isStruct ? list.flatMap { former.paths[$0.path] } ?? formerPath : formerPath
    func presence(_ path: String) -> UInt32? {
      guard let old = former.columns[path], old.column.kind == .presence else { return nil }
      return old.record.number
    }
    return ColumnConversion(
      entity: number, path: column.path, former: match?.record.number, formerPath: formerPath, form: form,
      outer: steps.map(\.path).filter { changed.hasPrefix($0 + ".") }.compactMap(presence), own: presence(changed),
      mayBeNil: (isStruct ? list : declared.last)?.property.isOptional ?? true,
      gap: column.kind.isPart ? elementGap(in: column, of: entity) : gap(in: column, of: entity, value))
  }
}

/// Converts the values of a cluster in a column that had another type.
struct ConvertedColumn {
  let conversion: ColumnConversion
  /// The position of the column in the new entity.
  let column: Int
  private let declared: Column
  /// The positions in the old entity.
  private let former: Int?
  private let outer: [Int]
  private let own: Int?

  /// A value that has no counterpart.
  struct Inexact: Error {
    let value: Value
  }

  init?(_ conversion: ColumnConversion, from old: StoredEntity, to new: StoredEntity) {
    guard let column = new.column(at: conversion.path) else { return nil }
    func position(_ number: UInt32) -> Int? { old.columns.firstIndex { $0.number == number } }
    self.conversion = conversion
    self.column = column
    declared = new.columns[column].column
    former = conversion.former.flatMap(position)
    outer = conversion.outer.compactMap(position)
    own = conversion.own.flatMap(position)
  }

  /// The columns that the conversion reads.
  var columns: [Int] { outer + [former, own].compactMap(\.self) }

  /// The new value of an object; nil (not `.null`) if its gap must be filled.
  ///
  /// - Parameter old: Returns the object's value in a column of the old entity.
  func value(_ old: (Int) throws(StoreError) -> Value) throws -> ConvertedValue {
    for presence in outer where try old(presence).isNull { return .value(.null) }
    let value = try former.map { try old($0) } ?? .bool(true)
    switch conversion.form {
    case .same:
      if value.isNull { return conversion.mayBeNil ? .value(.null) : .gap }
      guard case .list(let elements) = value, declared.kind.isPart else { return .value(try converted(value)) }
      let holdsGaps = !declared.mayHoldNil && elements.contains(where: \.isNull)
      return holdsGaps ? .elements(try elements.map(converted)) : .value(.list(try elements.map(converted)))
    case .element:
      if value.isNull { return .value(conversion.mayBeNil ? .null : .list([])) }
      return .value(.list([try converted(value)]))
    case .part, .count:
      let isMissing = try own.map { try old($0).isNull } ?? false
      if isMissing, conversion.mayBeNil { return .value(.null) }
      if conversion.form == .count { return .value(.int(isMissing ? 0 : 1)) }
      if isMissing { return .value(.list([])) }
      let element = try converted(value)
      return element.isNull && !declared.mayHoldNil ? .elements([element]) : .value(.list([element]))
    }
  }

  /// Converts the value, or each element of it, to the column's type.
  private func converted(_ value: Value) throws -> Value {
    switch value {
    case .list(let elements): return declared.collectionKind?.canonical(.list(try elements.map(converted))) ?? value
    case .embedded(let fields):
      return .embedded(try fields.map { EmbeddedField(name: $0.name, value: try converted($0.value)) })
    case .bool(let flag) where declared.scalarType.isInteger: return .int(flag ? 1 : 0)
    case .decimal(let number) where declared.scalarType.isInteger:
      guard let whole = number.integer, declared.scalarType.accepts(.int(whole)) else { throw Inexact(value: value) }
      return .int(whole)
    case .null, .bool, .int, .float, .double, .decimal, .string, .date, .uuid, .data, .object:
      guard let kept = declared.scalarType.kept(value) else { throw Inexact(value: value) }
      return kept
    }
  }
}

/// The new value of an object in a converted column.
enum ConvertedValue {
  case value(Value)
  /// The gap must be filled.
  case gap
  /// The elements; the gap of each nil must be filled.
  case elements([Value])

  /// Whether there is a gap.
  var hasGap: Bool {
    switch self {
    case .value: false
    case .gap: true
    case .elements(let elements): elements.contains(where: \.isNull)
    }
  }
}
