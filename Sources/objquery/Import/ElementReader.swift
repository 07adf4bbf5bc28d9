import CSimdjson

/// Reads the elements of collections written as JSON. It does not know types.
final class ElementReader {
  private let reader: OpaquePointer?

  init() { reader = csj_reader_create() }

  deinit { if let reader { csj_reader_destroy(reader) } }

  /// The parts of a collection: the elements of an array, or for each entry of an object its name and then its value.
  /// Valid until the next call.
  enum Outcome {
    case elements(UnsafeBufferPointer<Field>)
    case unfit(String)
  }

  /// The elements of a field: of an array or object in JSON, or of one written as text in a cell.
  func read(_ field: Field, keyed: Bool) -> Outcome {
    let opening = UInt8(ascii: keyed ? "{" : "[")
    let expected = keyed ? "an object of values by key" : "a list of values"
    switch field.kind {
    case keyed ? csj_object : csj_array, csj_untyped, csj_quoted: break
    case csj_array: return .unfit("a list where \(expected) is wanted")
    case csj_object: return .unfit("an object where \(expected) is wanted")
    default: return .unfit("a single value where \(expected) is wanted")
    }
    guard let reader, let text = field.text, field.bytes.first(where: { $0 != 0x20 && $0 != 0x09 }) == opening else {
      return .unfit("\(quoted(field.string)) is not \(expected), written as JSON")
    }
    guard csj_read_elements(reader, text, field.length) else {
      var offset = 0
      let reason = csj_problem(reader, &offset).map { String(cString: $0) } ?? "not JSON"
      return .unfit("\(expected) cannot be read: \(reason)")
    }
    var count = 0
    let fields = csj_fields(reader, &count)
    return .elements(UnsafeBufferPointer(start: fields, count: count))
  }
}
