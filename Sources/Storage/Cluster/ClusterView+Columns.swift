import Schema
package import Values

extension ClusterView {
  /// The column at a position of `StoredEntity.columns`. If the cluster is older than the property and lacks it, every
  /// object has the default.
  package func column(_ index: Int) throws(StoreError) -> ColumnView {
    let column = context.column(index)
    guard let position = directory.position(ofColumn: column.pointee.number, guess: index) else {
      return absentColumn(index)
    }
    let chunk = try chunk(position, of: index)
    let isText = chunk.entry.encoding == ChunkEncoding.same.rawValue && chunk.type.isKeptAsBytes
    return ColumnView(
      nulls: chunk.nulls, slotCount: slotCount, values: chunk.values, outOfLine: chunk.outOfLine, type: chunk.type,
      sameText: isText ? chunk.sameText : UnsafeRawBufferPointer(start: nil, count: 0),
      references: chunk.references, number: number, index: index, context: context)
  }

  @inline(never) private func absentColumn(_ index: Int) -> ColumnView {
    let column = context.column(index)
    let value = column.pointee.defaultValue
    let values = column.pointee.defaultCollection.map { ColumnValues.collection($0) } ?? .same(value)
    return ColumnView(
      nulls: value.isNull ? present : .none, slotCount: slotCount, values: values, outOfLine: .none,
      type: column.pointee.type, sameText: column.pointee.defaultText, references: nil, number: number, index: index,
      context: context)
  }

  /// The validated chunk at a position in the directory.
  @inline(never) private func chunk(_ position: Int, of index: Int) throws(StoreError) -> Chunk {
    let entry = ClusterEntry(directory.entry(position))
    let type = context.column(index).pointee.type
    let kind = context.column(index).pointee.kind
    guard entry.isOf(type, kind) else {
      throw context.damage(number, column: index, "its type is wrong")
    }
    let bytes: UnsafeRawBufferPointer
    if entry.flags.contains(.elsewhere) {
      bytes = try distantChunk(entry, of: index)
    } else {
      bytes = UnsafeRawBufferPointer(
        start: directory.start + entry.place, count: entry.length)
    }
    let chunk = Chunk(bytes: bytes, entry: entry, type: type, kind: kind, present: present, slotCount: slotCount)
    if !context.validated.contains(cluster: number, version: directory.version, item: position + 1) {
      do throws(Chunk.Damage) {
        try chunk.validate()
      } catch {
        throw context.damage(number, column: index, error.what)
      }
      context.entity.validated.insert(cluster: number, version: directory.version, item: position + 1)
    }
    return chunk
  }

  private func distantChunk(_ entry: ClusterEntry, of index: Int) throws(StoreError) -> UnsafeRawBufferPointer {
    let key = OutOfLineKey(cluster: number, column: entry.number, slot: nil)
    guard let bytes = try context.source(key), bytes.count == entry.length, let start = bytes.baseAddress else {
      throw context.damage(number, column: index, "its values are missing")
    }
    return UInt(bitPattern: start) & 7 == 0 ? bytes : context.keep(bytes)
  }

  /// The value of a slot in every column, in the order of `StoredEntity.columns`; nil for a slot without an object.
  package func row(_ slot: Int) throws(StoreError) -> [Value]? {
    guard slot >= 0, slot < slotCount, present[slot] else { return nil }
    var row: [Value] = []
    row.reserveCapacity(context.columnCount)
    for index in 0..<context.columnCount { row.append(try column(index).value(at: slot)) }
    return row
  }

  /// The range of a column's values from the directory, without reading the chunk; nil if there is none, as for
  /// collections.
  package func range(_ index: Int) -> ColumnRange? {
    let column = context.column(index)
    if column.pointee.kind != nil { return nil }
    guard let position = directory.position(ofColumn: column.pointee.number, guess: index) else {
      let value = column.pointee.defaultValue
      if case .double(let number) = value, number.isNaN { return nil }
      if case .float(let number) = value, number.isNaN { return nil }
      if case .decimal(let number) = value, number.isNaN { return nil }
      return ColumnRange(
        minimum: value, maximum: value, nullCount: value.isNull ? present.count : 0, hasNaN: false)
    }
    let entry = ClusterEntry(directory.entry(position))
    guard column.pointee.type.reads(code: entry.type) else { return nil }
    if entry.flags.contains(.range) {
      return ColumnRange(
        minimum: bound(entry.minimum, column.pointee.type), maximum: bound(entry.maximum, column.pointee.type),
        nullCount: entry.nullCount, hasNaN: entry.flags.contains(.nan))
    }
    guard entry.encoding == ChunkEncoding.absent.rawValue || entry.flags.contains(.nan) else { return nil }
    return ColumnRange(
      minimum: .null, maximum: .null, nullCount: entry.nullCount, hasNaN: entry.flags.contains(.nan))
  }

  private func bound(_ word: UInt64, _ type: ScalarType) -> Value {
    switch type {
    case .bool: .bool(word == 1)
    case .int8, .int16, .int32, .int: .int(Int64(bitPattern: word))
    case .float: .float(Float(bitPattern: UInt32(truncatingIfNeeded: word)))
    case .double: .double(Double(bitPattern: word))
    case .date: .date(Instant(seconds: Double(bitPattern: word)))
    case .string:
      .string(
        String(
          decoding: UnsafeRawBufferPointer(
            start: directory.start + Int(word & 0xFFFF_FFFF), count: Int(word >> 32)),
          as: UTF8.self))
    case .uuid, .data, .decimal: .null
    }
  }
}

extension ClusterEntry {
  /// Whether its chunk can be that of such a column.
  @inline(__always)
  func isOf(_ type: ScalarType, _ kind: CollectionKind?) -> Bool {
    type.reads(code: self.type) && (holdsCollections == nil || holdsCollections == (kind != nil))
  }

  /// The positions of the minimum and maximum string, if they are stored.
  var rangeTexts: [UInt64] {
    flags.contains(.range) && type == ScalarType.string.code ? [minimum, maximum] : []
  }
}

extension ScalarType {
  /// Whether a column of this type can read chunks of the type with that number: its own, or a narrower integer that
  /// was the column's type when the chunk was written.
  @inline(__always)
  fileprivate func reads(code: UInt8) -> Bool {
    code == self.code || ScalarType(code: code)?.widens(to: self) ?? false
  }
}

extension ClusterView {
  /// The numbers of the columns whose chunk is a separate LMDB value.
  var distantColumns: Set<UInt32> {
    var numbers: Set<UInt32> = []
    for position in 0..<directory.columnCount {
      let entry = ClusterEntry(directory.entry(position))
      if entry.flags.contains(.elsewhere) { numbers.insert(entry.number) }
    }
    return numbers
  }
}
