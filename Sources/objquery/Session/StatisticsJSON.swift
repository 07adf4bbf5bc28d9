import ObjectStoreCore

/// The statistics of a store as JSON, for programs.
enum StatisticsJSON {
  /// One object, without a final line break.
  static func text(_ statistics: StoreStatistics) -> String {
    var fields = [
      field("file", statistics.fileBytes), field("used", statistics.usedBytes), field("free", statistics.freeBytes),
      field("page", statistics.pageBytes), field("map", statistics.mapBytes), field("version", statistics.version),
      field("readers", statistics.readers),
    ]
    let readers: [Value] = statistics.oldestReaders.map { reader in
      .embedded([
        field("version", reader.version), field("process", Int(reader.processID)),
        EmbeddedField(name: "program", value: reader.program.map { .string($0) } ?? .null),
        EmbeddedField(name: "command", value: reader.command.map { .string($0) } ?? .null),
        EmbeddedField(name: "label", value: reader.label.map { .string($0) } ?? .null),
        field("seconds", reader.age), EmbeddedField(name: "exact", value: .bool(reader.isAgeExact)),
      ])
    }
    let writer: Value? = statistics.writer.map { writer in
      .embedded([field("process", Int(writer.processID)), field("seconds", writer.duration)])
    }
    let waits = statistics.writerWaits
    fields += [
      EmbeddedField(name: "oldestReader", value: readers.first ?? .null),
      EmbeddedField(name: "oldestReaders", value: .list(readers)),
      EmbeddedField(name: "writer", value: writer ?? .null),
      field(
        "writerWaits",
        [field("count", waits.count), field("seconds", waits.total), field("longest", waits.longest)]),
      EmbeddedField(name: "entities", value: .list(statistics.entities.map(entity))),
      EmbeddedField(name: "indexes", value: .list(statistics.indexes.map(index))),
      field("system", statistics.systemBytes),
      EmbeddedField(name: "problems", value: .list(statistics.problems.map { .string($0) })),
    ]
    return ValueText.json(.embedded(fields))
  }

  private static func entity(_ entity: StoreStatistics.EntityUse) -> Value {
    .embedded([
      EmbeddedField(name: "entity", value: .string(entity.name)), field("objects", entity.objects),
      field("clusters", entity.clusters), field("bytes", entity.bytes), field("removed", entity.removedBytes),
      EmbeddedField(name: "estimated", value: .bool(entity.isEstimated)),
      EmbeddedField(name: "columns", value: .list(entity.columns.map(column))),
    ])
  }

  private static func column(_ column: StoreStatistics.ColumnUse) -> Value {
    .embedded([
      EmbeddedField(name: "column", value: .string(column.path)), field("chunks", column.chunks),
      field("bytes", column.bytes), field("overflowValues", column.overflowValues),
      field("overflowBytes", column.overflowBytes),
      EmbeddedField(
        name: "encodings",
        value: .list(
          column.encodings.map {
            .embedded([
              EmbeddedField(name: "encoding", value: .string($0.name)), field("chunks", $0.chunks),
              field("bytes", $0.bytes),
            ])
          })),
    ])
  }

  private static func index(_ index: StoreStatistics.IndexUse) -> Value {
    .embedded([
      EmbeddedField(name: "entity", value: .string(index.entity)),
      EmbeddedField(name: "index", value: .string(index.index.name)),
      EmbeddedField(name: "kind", value: .string(index.index.kind.rawValue)), field("entries", index.entries),
      field("bytes", index.bytes), EmbeddedField(name: "estimated", value: .bool(index.isEstimated)),
    ])
  }

  private static func field(_ name: String, _ number: Int) -> EmbeddedField {
    EmbeddedField(name: name, value: .int(Int64(number)))
  }

  private static func field(_ name: String, _ duration: Duration?) -> EmbeddedField {
    EmbeddedField(name: name, value: duration.map { .double($0.inSeconds) } ?? .null)
  }

  private static func field(_ name: String, _ fields: [EmbeddedField]) -> EmbeddedField {
    EmbeddedField(name: name, value: .embedded(fields))
  }
}
