import Schema
package import Values

/// A cluster that is being changed: up to 256 rows, stored column by column in typed buffers.
///
/// A column of an existing cluster is decoded only when it is changed; the others are copied. The builder checks types
/// and that nil is stored only where it is allowed. It does not depend on LMDB or transactions: its single owner writes
/// the encoded result. An error leaves it unchanged.
package final class ClusterBuilder {
  /// The number of the cluster.
  package let number: UInt64
  /// The entity of its objects.
  package let entity: StoredEntity
  /// The slots that have an object.
  package private(set) var present: Mask = .none

  /// The columns by position; nil for a column that is unchanged from `origin`.
  private(set) var columns: [ColumnBuffer?]
  /// Unretained references to the columns if all are decoded, for filling rows without counting references; otherwise
  /// empty.
  private var handles: [Unmanaged<ColumnBuffer>] = []
  /// The original cluster, while there are columns that have not been decoded. Its objects are those in `present`.
  private(set) var origin: ClusterOrigin?
  /// The columns whose chunk was a separate LMDB value when the cluster was last read or encoded.
  var distant: Set<UInt32> = []
  private let source: OutOfLineSource

  /// An empty cluster. `source` finds long values that were written before.
  package init(
    number: UInt64, entity: StoredEntity, source: @escaping OutOfLineSource = { (_) throws(StoreError) in nil }
  ) {
    self.number = number
    self.entity = entity
    self.source = source
    let columns = entity.columns.map { ColumnBuffer($0) }
    self.columns = columns
    handles = columns.map { Unmanaged.passUnretained($0) }
  }

  /// The rows of a cluster. Afterwards only the view's source is used, for overflow values: if the view does not live
  /// as long as the builder, pass another `source`. If `isLasting`, the view's bytes stay valid as long as the builder
  /// is used, and are not copied.
  package init(
    changing view: ClusterView, source: OutOfLineSource? = nil, isLasting: Bool = false
  ) throws(StoreError) {
    number = view.number
    entity = view.context.entity
    self.source = source ?? view.context.source
    columns = Array(repeating: nil, count: entity.columns.count)
    present = view.present
    distant = view.distantColumns
    origin = try isLasting ? ClusterOrigin(lasting: view) : ClusterOrigin(view)
  }

  /// The rows of a cluster, with all columns decoded.
  package convenience init(decoding view: ClusterView, source: OutOfLineSource? = nil) throws(StoreError) {
    try self.init(changing: view, source: source)
    try decode()
  }

  /// Whether there are no objects.
  package var isEmpty: Bool { present.isEmpty }

  /// Stores a row, in the order of the entity's columns, in a free slot.
  package func append(_ row: [Value], at slot: Int) throws(StoreError) {
    try row.withUnsafeBufferPointer { row throws(StoreError) in try append(row, at: slot) }
  }

  /// Stores a row from the caller's memory.
  func append(_ row: UnsafeBufferPointer<Value>, at slot: Int) throws(StoreError) {
    guard slot >= 0, slot < Mask.slotCount, !present[slot] else {
      throw .unsupported("slot \(slot) of \(entity.name) cluster \(number) cannot take a new object")
    }
    guard row.count == columns.count else {
      throw .unsupported("a row of \(entity.name) has \(amount(columns.count, "value")), not \(row.count)")
    }
    if origin != nil { try decode() }
    let handles = handles
    for index in 0..<row.count where !handles[index]._withUnsafeGuaranteedRef({ $0.mayHave(row[index]) }) {
      try check(row[index], index)
    }
    for index in 0..<row.count { handles[index]._withUnsafeGuaranteedRef { $0.set(slot, row[index]) } }
    present[slot] = true
  }

  /// Replaces a value of the object in a slot.
  package func set(_ slot: Int, _ column: Int, _ value: Value) throws(StoreError) {
    try require(slot, column)
    try check(value, column)
    try buffer(column).set(slot, value)
  }

  /// Removes the object in a slot, if there is one.
  package func remove(_ slot: Int) throws(StoreError) {
    guard slot >= 0, slot < Mask.slotCount, present[slot] else { return }
    try decode()
    present[slot] = false
    for column in columns { column?.clear(slot) }
  }

  /// A value of the object in a slot.
  package func value(_ slot: Int, _ column: Int) throws(StoreError) -> Value {
    try require(slot, column)
    guard let buffer = columns[column] else { return try origin?.view.column(column).value(at: slot) ?? .null }
    return try buffer.value(slot) { () throws(StoreError) in try longValue(slot, buffer, column) }
  }

  /// The values of the object in a slot, in the order of the entity's columns; nil if there is none.
  package func row(_ slot: Int) throws(StoreError) -> [Value]? {
    guard slot >= 0, slot < Mask.slotCount, present[slot] else { return nil }
    var row: [Value] = []
    row.reserveCapacity(columns.count)
    for column in columns.indices { row.append(try value(slot, column)) }
    return row
  }

  // MARK: Decoding

  /// The approximate memory use in bytes.
  var footprint: Int {
    (origin?.count ?? 0) + columns.reduce(0) { $0 + ($1 == nil ? 0 : ColumnBuffer.footprint) }
  }

  /// The column to be changed.
  private func buffer(_ index: Int) throws(StoreError) -> ColumnBuffer {
    if let known = columns[index] { return known }
    let buffer = ColumnBuffer(entity.columns[index])
    if let origin { buffer.load(try origin.view.column(index), present: present) }
    columns[index] = buffer
    return buffer
  }

  /// Decodes all columns, because the original ones no longer have the right slots.
  private func decode() throws(StoreError) {
    guard origin != nil else { return }
    for index in columns.indices { _ = try buffer(index) }
    handles = columns.compactMap { $0.map { Unmanaged.passUnretained($0) } }
    origin = nil
  }

  /// Decodes the columns that cannot be copied: all columns of a cluster with separate chunks, and those that an older
  /// cluster lacks.
  func prepareEncoding() throws(StoreError) {
    guard let origin else { return }
    if !distant.isEmpty { return try decode() }
    for index in columns.indices where columns[index] == nil && origin.chunk(index) == nil { _ = try buffer(index) }
  }

  // MARK: Checking

  private func require(_ slot: Int, _ column: Int) throws(StoreError) {
    guard columns.indices.contains(column) else {
      throw .unsupported("\(entity.name) has no column \(column)")
    }
    guard slot >= 0, slot < Mask.slotCount, present[slot] else {
      throw .unknownObject(
        entity: entity.name, ObjectNumber(number << 8 | UInt64(truncatingIfNeeded: slot & 255)))
    }
  }

  /// Throws when a column cannot have a value; `set` would.
  func check(_ value: Value, _ column: Int) throws(StoreError) {
    guard columns.indices.contains(column) else { throw .unsupported("\(entity.name) has no column \(column)") }
    if value.isNull {
      if !entity.columns[column].column.isOptional {
        throw .missingValue(entity: entity.name, path: entity.columns[column].path)
      }
      return
    }
    let buffer = try buffer(column)
    if !buffer.accepts(value) {
      let path = entity.columns[column].path
      if buffer.collections?.isTooLarge(value) == true {
        throw .unsupported("a collection for \(entity.name).\(path) takes more than 1 GiB; keep it in several objects")
      }
      throw .wrongType(
        entity: entity.name, path: path, expected: entity.columns[column].expected, got: describe(value, buffer))
    }
  }

  private func describe(_ value: Value, _ buffer: ColumnBuffer) -> String {
    switch value {
    case .int(let number): "\(number)"
    case .double(let number) where buffer.type.isInteger: "\(number)"
    case .list(let elements):
      elements.first { $0.isNull || !buffer.type.accepts($0) }.map { "a list with \(describe($0, buffer))" }
        ?? value.typeName
    case .embedded(let fields):
      fields.first { $0.value.isNull || !buffer.type.accepts($0.value) }.map {
        "a struct with \(describe($0.value, buffer))"
      } ?? value.typeName
    default: value.typeName
    }
  }

  private func longValue(_ slot: Int, _ buffer: ColumnBuffer, _ column: Int) throws(StoreError) -> [UInt8] {
    guard case .stored(let size, let hash)? = buffer.long?.parts[slot],
      let bytes = try source(OutOfLineKey(cluster: number, column: buffer.number, slot: slot)),
      UInt64(bytes.count) == buffer.length(ofSize: size), Checksum.fits(bytes, hash),
      buffer.collections?.isSound(bytes) ?? true
    else {
      throw .corrupted(
        location: "\(entity.name) cluster \(number), property '\(entity.columns[column].path)': "
          + "the long value of slot \(slot) is missing or damaged")
    }
    return Array(bytes)
  }
}
