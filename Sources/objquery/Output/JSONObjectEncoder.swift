import ObjectStoreCore
internal import Values

/// Writes rows of one shape as JSON objects, with structs as nested objects.
final class JSONObjectEncoder {
  /// All keys in sequence, escaped once, each with the preceding comma and the following colon.
  private var keys = TextBytes()
  /// The steps that write an object, from its first key to its last value. They are executed for each row, so they are
  /// an array instead of a tree.
  private var steps: [Step] = []

  private enum Step {
    /// A key, and the value at an index of the row.
    case leaf(key: Range<Int>, place: Int)
    /// A key, and the start of a struct; null if the value at `presence` is null, continuing with the step `next`.
    case structure(key: Range<Int>, presence: Int?, next: Int)
    /// The end of a struct.
    case end
  }

  init(_ shape: OutputShape) { prepare(shape.fields) }

  /// Appends a row as one object, without a line break.
  func append(_ values: [Value], to text: inout TextBytes) {
    text.append(UInt8(ascii: "{"))
    var next = 0
    while steps.indices.contains(next) {
      let step = steps[next]
      next += 1
      switch step {
      case .leaf(let key, let place):
        text.append(keys.bytes(key))
        if values.indices.contains(place) {
          ValueText.appendJSON(values[place], to: &text)
        } else {
          text.append("null")
        }
      case .structure(let key, let presence, let end):
        text.append(keys.bytes(key))
        if let presence, values.indices.contains(presence), values[presence].isNull {
          text.append("null")
          next = end
        } else {
          text.append(UInt8(ascii: "{"))
        }
      case .end: text.append(UInt8(ascii: "}"))
      }
    }
    text.append(UInt8(ascii: "}"))
  }

  private func prepare(_ fields: [OutputShape.Field]) {
    for (index, field) in fields.enumerated() {
      let start = keys.count
      if index > 0 { keys.append(UInt8(ascii: ",")) }
      JSONText.append(field.heading, to: &keys)
      keys.append(UInt8(ascii: ":"))
      let key = start..<keys.count
      switch field.content {
      case .leaf(let place): steps.append(.leaf(key: key, place: place))
      case .structure(let presence, let inner):
        let place = steps.count
        steps.append(.end)
        prepare(inner)
        steps.append(.end)
        steps[place] = .structure(key: key, presence: presence, next: steps.count)
      }
    }
  }
}
