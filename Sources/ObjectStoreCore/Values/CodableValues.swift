internal import FoundationEssentials

// Stores values of any `Codable` type as JSON in a column of `Data`, as declared with `@Attribute(.codable)`.

/// Encodes values as the stored JSON and decodes them.
enum CodableJSON {
  /// The keys are sorted, so that equal structs have equal bytes.
  private static func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }

  private static func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }

  /// nil as JSON writes it.
  static let null = [UInt8]("null".utf8)

  /// The JSON of a value.
  static func bytes(_ value: some Encodable) throws -> [UInt8] { [UInt8](try encoder().encode(value)) }

  /// The value of some JSON.
  static func value<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
    try decoder().decode(type, from: Data(bytes))
  }

  /// Whether a type is optional.
  static func isOptional(_ type: any Codable.Type) -> Bool { type is any ExpressibleByNilLiteral.Type }
}

extension RowEncoder {
  /// Appends a value encoded, for the next column of `Data`; `@Model` uses it. Where the value can't be encoded,
  /// writing the object throws.
  public mutating func append<Value: Codable & Hashable & Sendable>(encoding value: Value) {
    do {
      let bytes = try CodableJSON.bytes(value)
      append(CodableJSON.isOptional(Value.self) && bytes == CodableJSON.null ? .null : .data(bytes))
    } catch {
      refuse("it can't be encoded: \(CodableFault(error).reason)")
    }
  }
}

extension RowDecoder {
  /// Reads the next column, an encoded value; `@Model` uses it.
  ///
  /// - Throws: `StoreError.unreadableValue` for a value with a different encoding, which another version of the program
  ///   may have written.
  public mutating func nextEncoded<Value: Codable & Hashable & Sendable>() throws -> Value {
    if isNextNull, CodableJSON.isOptional(Value.self) {
      skip(1)
      return try CodableJSON.value(Value.self, CodableJSON.null)
    }
    let bytes = try data()
    do {
      return try CodableJSON.value(Value.self, bytes)
    } catch {
      throw unreadable(
        .string(String(decoding: bytes, as: UTF8.self)), as: "\(Value.self) (\(CodableFault(error).reason))")
    }
  }
}

/// Why a value can't be encoded or decoded, in a few words.
struct CodableFault {
  /// The reason.
  let reason: String

  init(_ error: any Error) {
    switch error {
    case EncodingError.invalidValue(_, let context): reason = context.debugDescription
    case DecodingError.keyNotFound(let key, _): reason = "it has no '\(key.stringValue)'"
    case DecodingError.valueNotFound(_, let context), DecodingError.typeMismatch(_, let context):
      reason = "'\(context.codingPath.map(\.stringValue).joined(separator: "."))' has another type"
    case DecodingError.dataCorrupted(let context): reason = context.debugDescription
    default: reason = "\(error)"
    }
  }
}
