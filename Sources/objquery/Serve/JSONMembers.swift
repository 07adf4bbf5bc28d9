internal import Diagnostics
import ObjectStoreCore
internal import Values

/// The members of a JSON object that is being written, in order.
struct JSONMembers: Sendable {
  private var text = ""

  /// The object.
  var object: String { "{\(text)}" }

  mutating func add(_ name: String, _ value: Value) { add(name, raw: ValueText.json(value)) }

  /// Adds a member whose value is JSON already.
  mutating func add(_ name: String, raw: String) {
    if !text.isEmpty { text += "," }
    text += JSONText.quoted(name) + ":" + raw
  }

  /// Adds the offsets of a range in both encodings.
  mutating func add(_ range: SourceRange, in text: SourceText) {
    add("start", .int(Int64(range.lowerBound)))
    add("end", .int(Int64(range.upperBound)))
    add("startUTF16", .int(Int64(text.utf16Offset(of: range.lowerBound))))
    add("endUTF16", .int(Int64(text.utf16Offset(of: range.upperBound))))
  }
}
