internal import Diagnostics
internal import Schema
internal import Storage
internal import Values

extension StoredColumn {
  /// A value as written in a statement or in JSON, as the column keeps it; nil when it can't be that.
  ///
  /// Text is read as a date, UUID, base64 data or `nan`, `inf`, `-inf` where the column wants one of those. A list may
  /// have its elements in any order for a set; an empty one is an empty dictionary too.
  func converted(_ value: Value) -> Value? {
    if value.isNull { return column.isOptional ? .null : nil }
    guard let kind = collectionKind else { return scalarType.converted(value) }
    switch (kind, value) {
    case (.array, .list(let elements)), (.set, .list(let elements)):
      var converted: [Value] = []
      converted.reserveCapacity(elements.count)
      for element in elements {
        guard let value = scalarType.converted(element) else { return nil }
        converted.append(value)
      }
      return kind.canonical(.list(converted))
    case (.dictionary, .embedded(let fields)):
      var converted: [EmbeddedField] = []
      converted.reserveCapacity(fields.count)
      for field in fields {
        guard let value = scalarType.converted(field.value) else { return nil }
        converted.append(EmbeddedField(name: field.name, value: value))
      }
      return kind.canonical(.embedded(converted))
    case (.dictionary, .list([])): return .embedded([])
    default: return nil
    }
  }

  /// The error for a value that can't be kept.
  func mismatch(_ value: Value, source: String, range: SourceRange) -> DiagnosticError {
    let message =
      value.isNull ? "'\(path)' needs a value" : "'\(path)' is of type \(wanted), which \(culprit(of: value))"
    return DiagnosticError(
      source: source,
      Diagnostic(
        code: value.isNull ? .missingValue : .typeMismatch, message: message, range: range,
        notes: value.isNull ? [] : example.map { [$0] } ?? []))
  }

  private var wanted: String { collectionKind?.name(of: scalarType) ?? scalarType.rawValue }

  /// What is wrong with a value: itself, or one of its elements.
  private func culprit(of value: Value) -> String {
    switch (collectionKind, value) {
    case (.array, .list(let elements)), (.set, .list(let elements)):
      elements.firstIndex { scalarType.converted($0) == nil }.map { "element \($0 + 1) does not fit" } ?? "this is not"
    case (.dictionary, .embedded(let fields)):
      fields.first { scalarType.converted($0.value) == nil }.map {
        "the value of \"\($0.name.prefix(40))\" does not fit"
      } ?? "this is not"
    default: "this is not"
    }
  }

  private var example: String? {
    switch collectionKind {
    case .array?, .set?: "write its elements as a list, such as [] in JSON; none of them is nil"
    case .dictionary?: "write it as an object, such as {\"a\": …}; no value in it is nil"
    case nil: nil
    }
  }
}

extension ScalarType {
  /// A single value as written, as a column of the type keeps it; nil when it can't be that, and for nil.
  fileprivate func converted(_ value: Value) -> Value? {
    if value.isNull { return nil }
    if let kept = kept(value) { return kept }
    switch (self, value) {
    case (.int8, .double(let number)), (.int16, .double(let number)), (.int32, .double(let number)),
      (.int, .double(let number)):
      return Int64(exactly: number).flatMap { kept(.int($0)) }
    case (.date, .string(let text)): return ISO8601.instant(text).map { .date($0) }
    case (.uuid, .string(let text)): return UUIDBytes(text).map { .uuid($0) }
    case (.data, .string(let text)): return Base64.bytes(text).map { .data($0) }
    case (.double, .string(let text)): return Self.special[text].map { .double($0) }
    case (.float, .string(let text)): return Self.special[text].map { .float(Float($0)) }
    default: return nil
    }
  }

  /// Numbers that JSON has no literals for.
  private static let special: [String: Double] = ["nan": .nan, "inf": .infinity, "-inf": -.infinity]
}
