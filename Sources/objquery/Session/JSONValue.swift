import FoundationEssentials
import ObjectStoreCore

/// Converts JSON text to a value: for parameters such as `-p 'ids:json=[1,2]'`.
enum JSONValue {
  /// The value, or nil when `text` is not JSON. An object becomes a dictionary value, with its keys in order.
  static func read(_ text: String) -> Value? { try? parse(text.utf8) }

  /// The value of UTF-8 text.
  ///
  /// - Throws: `Malformed` when it is not JSON.
  static func parse(_ text: some Sequence<UInt8>) throws(Malformed) -> Value {
    do {
      return try JSONDecoder().decode(Decoded.self, from: Data(text)).value
    } catch DecodingError.dataCorrupted(let context) {
      throw Malformed(reason: context.underlyingError.map { String(describing: $0) } ?? context.debugDescription)
    } catch {
      throw Malformed(reason: String(describing: error))
    }
  }

  /// A text that is not JSON.
  struct Malformed: Error {
    var reason: String
  }

  private struct Decoded: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        value = .null
      } else if let truth = try? container.decode(Bool.self) {
        value = .bool(truth)
      } else if let integer = try? container.decode(Int64.self) {
        value = .int(integer)
      } else if let number = try? container.decode(Double.self) {
        value = .double(number)
      } else if let string = try? container.decode(String.self) {
        value = .string(string)
      } else if let object = try? container.decode([String: Decoded].self) {
        value = .embedded(
          object.sorted { $0.key < $1.key }.map { EmbeddedField(name: $0.key, value: $0.value.value) })
      } else {
        value = .list(try container.decode([Decoded].self).map(\.value))
      }
    }
  }
}
