internal import Schema
internal import Values

/// The schema record of the catalog: the declared schema, and every number ever assigned for it.
///
/// It does not depend on objects, counters or the place of the record.
struct CatalogSchema: Equatable {
  /// The path of a column and its permanent attributes.
  struct ColumnRecord: Equatable {
    var number: UInt32
    var path: String
    var defaultAtCreation: Value
  }

  /// An index with its number.
  struct IndexRecord: Equatable {
    var number: UInt32
    var index: Index
    var isComplete: Bool
    /// The version of the folding that made the keys of an index of folded strings; 0 for other kinds.
    var foldingVersion: UInt32 = 0
    /// Whether the next plan for the schema builds it anew. Not in the file.
    var isToBeBuilt = false
  }

  /// The stored data of an entity in addition to its declaration, which is at the same position in `schema.entities`.
  struct EntityRecord: Equatable {
    var number: UInt32
    var nextColumn: UInt32 = 1
    var columns: [ColumnRecord] = []
    var indexes: [IndexRecord] = []
  }

  /// Incremented with every change.
  var version: UInt64 = 0
  var schema = Schema()
  var entities: [EntityRecord] = []
  var nextEntity: UInt32 = 1
  var nextIndex: UInt32 = 1
  /// Properties that were declared not to be former names of others, so that they are not reported as possible renames
  /// again.
  var kept: [PropertyPlace] = []
  /// The names of the steps of migration plans that were done, in order.
  var doneSteps: [String] = []

  /// Whether any index was made with another version of the folding than this program's.
  var hasForeignFolding: Bool {
    entities.contains { $0.indexes.contains { !$0.hasOwnFolding } }
  }
}

extension CatalogSchema {
  /// The record's bytes, sealed.
  func encoded() -> [UInt8] {
    var writer = RecordWriter()
    writer.put(version)
    writer.put(nextEntity)
    writer.put(nextIndex)
    writer.put(each: schema.entities) { $0.put(entity: $1) }
    writer.put(each: schema.embedded) { $0.put(entity: $1) }
    writer.put(each: entities) { writer, entity in
      writer.put(entity.number)
      writer.put(entity.nextColumn)
      writer.put(each: entity.columns) {
        $0.put($1.number)
        $0.put($1.path)
        $0.put(value: $1.defaultAtCreation)
      }
      writer.put(each: entity.indexes) {
        $0.put($1.number)
        $0.put(index: $1.index)
        $0.put($1.isComplete)
        if $1.index.kind.folds { $0.put($1.foldingVersion) }
      }
    }
    // Older programs stored the forms of every structure here, and read no further.
    writer.put(UInt64(0))
    let generated = schema.generatedDefaults
    if !kept.isEmpty || !generated.isEmpty || !doneSteps.isEmpty {
      writer.put(each: kept) {
        $0.put($1.structure)
        $0.put($1.property)
      }
    }
    if !generated.isEmpty || !doneSteps.isEmpty {
      writer.put(each: generated) {
        $0.put($1.place.structure)
        $0.put($1.place.property)
        $0.put($1.value.rawValue)
      }
    }
    if !doneSteps.isEmpty { writer.put(each: doneSteps) { $0.put($1) } }
    return writer.sealed()
  }

  /// The schema of a record.
  init(record: UnsafeRawBufferPointer) throws(RecordDamage) {
    var reader = try RecordReader(sealed: record)
    version = try reader.uint64()
    nextEntity = try reader.uint32()
    nextIndex = try reader.uint32()
    schema.entities = try reader.each { (reader: inout RecordReader) throws(RecordDamage) in try reader.entity() }
    schema.embedded = try reader.each { (reader: inout RecordReader) throws(RecordDamage) in try reader.entity() }
    entities = try reader.each { (reader: inout RecordReader) throws(RecordDamage) in try EntityRecord(&reader) }
    // The forms that older programs stored are no longer used.
    _ = try reader.each { (reader: inout RecordReader) throws(RecordDamage) in
      _ = try reader.text()
      _ = try reader.each { (reader: inout RecordReader) throws(RecordDamage) in try reader.uint64() }
    }
    if !reader.isAtEnd {
      kept = try reader.each { (reader: inout RecordReader) throws(RecordDamage) in
        PropertyPlace(structure: try reader.text(), property: try reader.text())
      }
    }
    if !reader.isAtEnd {
      for (place, value) in try reader.each({ (reader: inout RecordReader) throws(RecordDamage) in
        try reader.generatedDefault()
      }) {
        schema.setGeneratedDefault(value, at: place)
      }
    }
    if !reader.isAtEnd {
      doneSteps = try reader.each { (reader: inout RecordReader) throws(RecordDamage) in try reader.text() }
    }
    guard reader.isAtEnd else { throw RecordDamage(what: "it is longer than its contents") }
    guard entities.count == schema.entities.count else {
      throw RecordDamage(what: "it numbers \(entities.count) entities of \(schema.entities.count)")
    }
  }
}

extension Schema {
  /// The defaults that are generated for each object. They are stored apart from the properties, which older programs
  /// read.
  fileprivate var generatedDefaults: [(place: PropertyPlace, value: GeneratedDefault)] {
    (entities + embedded).flatMap { structure in
      structure.properties.compactMap { property in
        property.generatedDefault.map {
          (PropertyPlace(structure: structure.name, property: property.name), $0)
        }
      }
    }
  }

  fileprivate mutating func setGeneratedDefault(_ value: GeneratedDefault, at place: PropertyPlace) {
    func set(_ structures: inout [Entity]) {
      for number in structures.indices where structures[number].name == place.structure {
        for property in structures[number].properties.indices
        where structures[number].properties[property].name == place.property {
          structures[number].properties[property].generatedDefault = value
        }
      }
    }
    set(&entities)
    set(&embedded)
  }
}

extension CatalogSchema.IndexRecord {
  /// An index that this program fills.
  init(number: UInt32, index: Index) {
    self.init(
      number: number, index: index, isComplete: true,
      foldingVersion: index.kind.folds ? TextFolding.version : 0)
  }

  /// Whether the index's keys match those that this program makes.
  var hasOwnFolding: Bool { !index.kind.folds || foldingVersion == TextFolding.version }
}

extension CatalogSchema.EntityRecord {
  fileprivate init(_ reader: inout RecordReader) throws(RecordDamage) {
    number = try reader.uint32()
    nextColumn = try reader.uint32()
    columns = try reader.each { (reader: inout RecordReader) throws(RecordDamage) in
      CatalogSchema.ColumnRecord(
        number: try reader.uint32(), path: try reader.text(), defaultAtCreation: try reader.value())
    }
    indexes = try reader.each { (reader: inout RecordReader) throws(RecordDamage) in
      var record = CatalogSchema.IndexRecord(
        number: try reader.uint32(), index: try reader.index(), isComplete: try reader.flag())
      if record.index.kind.folds { record.foldingVersion = try reader.uint32() }
      return record
    }
  }
}
