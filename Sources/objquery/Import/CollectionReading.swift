import CSimdjson
import ObjectStoreCore

/// Converts one field of the data to a collection, or explains why it can't. Its elements are converted like single
/// values.
struct CollectionReading {
  let kind: CollectionKind
  let element: ValueReading
  let reader: ElementReader

  func read(_ field: Field) -> ValueReading.Outcome {
    if field.kind == csj_null { return .value(.null) }
    switch reader.read(field, keyed: kind == .dictionary) {
    case .unfit(let reason): return .unfit(reason)
    case .elements(let fields): return kind == .dictionary ? entries(fields) : elements(fields)
    }
  }

  private func elements(_ fields: UnsafeBufferPointer<Field>) -> ValueReading.Outcome {
    var values: [Value] = []
    values.reserveCapacity(fields.count)
    for field in fields {
      switch value(field) {
      case .unfit(let reason): return .unfit("element \(values.count + 1): \(reason)")
      case .value(let value): values.append(value)
      }
    }
    return .value(.list(values))
  }

  private func entries(_ fields: UnsafeBufferPointer<Field>) -> ValueReading.Outcome {
    var entries: [EmbeddedField] = []
    entries.reserveCapacity(fields.count / 2)
    for index in stride(from: 1, to: fields.count, by: 2) {
      let key = fields[index - 1].string
      switch value(fields[index]) {
      case .unfit(let reason): return .unfit("the value of \(quoted(key)): \(reason)")
      case .value(let value): entries.append(EmbeddedField(name: key, value: value))
      }
    }
    return .value(.embedded(entries))
  }

  private func value(_ field: Field) -> ValueReading.Outcome {
    if field.kind == csj_null { return .unfit("nil, which no element may be") }
    return element.read(field)
  }
}
