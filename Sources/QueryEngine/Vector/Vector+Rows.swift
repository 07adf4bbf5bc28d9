internal import Storage
internal import Values

/// Expressions without a kernel: each slot is evaluated as a single row, and its value is stored in the vector.
extension Vector {
  /// Evaluates the requested slots row by row.
  func evaluate(
    rows expression: BoundExpression, _ form: VectorForm, _ input: VectorInput, _ context: ExecutionContext,
    _ wanted: Mask
  ) throws {
    switch input {
    case .cluster(let cluster):
      let row = ClusterRow(cluster, context)
      try fill(form, wanted) { slot in
        row.slot = slot
        return try expression.value(in: row)
      }
    case .dictionary(let entries):
      let row = DictionaryRow(entries, context.cancellation)
      try fill(form, wanted) { slot in
        row.slot = slot
        return try expression.value(in: row)
      }
    case .nothing: try fill(form, wanted) { _ in try expression.value(in: NoRow()) }
    }
  }

  /// Fills the requested slots with values of the form's types.
  private func fill(_ form: VectorForm, _ wanted: Mask, _ value: (Int) throws -> Value) throws {
    self.form = form
    var missing = Mask.none
    switch form {
    case .integers:
      try wanted.forEach { slot in
        switch try value(slot) {
        case .int(let number): integers[slot] = number
        case .null: missing[slot] = true
        case let other: throw Self.unexpected(other, "an Int")
        }
      }
    case .doubles:
      try wanted.forEach { slot in
        switch try value(slot) {
        case .double(let number): doubles[slot] = number
        case .float(let number): doubles[slot] = Double(number)
        case .date(let instant): doubles[slot] = instant.seconds
        case .null: missing[slot] = true
        case let other: throw Self.unexpected(other, "a Double")
        }
      }
    case .flags:
      var found = Mask.none
      try wanted.forEach { slot in
        switch try value(slot) {
        case .bool(let flag): found[slot] = flag
        case .null: missing[slot] = true
        case let other: throw Self.unexpected(other, "a Bool")
        }
      }
      flags = found
    case .strings:
      let block = try buffer.fill((wanted.last ?? 0) + 1, wanted, isASCII: false) { slot in
        switch try value(slot) {
        case .string(var text): text.withUTF8 { buffer.append(UnsafeRawBufferPointer($0)) }
        case .null: missing[slot] = true
        case let other: throw Self.unexpected(other, "a String")
        }
      }
      strings = StringVector(layout: .block(block))
    case .decimals, .values:
      self.form = .values
      if values.count < Mask.slotCount { values = [Value](repeating: .null, count: Mask.slotCount) }
      try wanted.forEach { slot in
        let value = try value(slot)
        values[slot] = value
        if value.isNull { missing[slot] = true }
      }
    }
    nulls = missing
  }

  /// The error for a value of another type than the query's expression has.
  static func unexpected(_ value: Value, _ expected: String) -> StoreError {
    .unsupported("a \(ExpressionType(value).name) where the query has \(expected)")
  }

  /// The value of a slot, for an expression of a type.
  func value(at slot: Int, of type: ExpressionType) -> Value {
    if nulls[slot] { return .null }
    switch form {
    case .integers: return .int(integers[slot])
    case .doubles:
      switch type {
      case .float: return .float(Float(doubles[slot]))
      case .date: return .date(Instant(seconds: doubles[slot]))
      case .null, .bool, .int, .double, .decimal, .number, .string, .uuid, .data, .list, .structure, .object:
        return .double(doubles[slot])
      }
    case .flags: return .bool(flags[slot])
    case .strings: return .string(String(decoding: strings[slot], as: UTF8.self))
    case .decimals: return .decimal(DecimalValue(integers[slot], places: places))
    case .values: return values[slot]
    }
  }
}

/// Provides the entries of a dictionary, one at a time, as values of the only column that is read.
final class DictionaryRow: RowValues {
  private let entries: TextBlock
  let cancellation: CancellationCheck?
  /// The current entry.
  var slot = 0

  init(_ entries: TextBlock, _ cancellation: CancellationCheck) {
    self.entries = entries
    self.cancellation = cancellation
  }

  func value(_ column: Int) -> Value {
    slot < entries.count ? .string(String(decoding: entries[slot], as: UTF8.self)) : .null
  }
}
