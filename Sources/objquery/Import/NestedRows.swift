import CSimdjson
import ObjectStoreCore

/// Reads objects nested in others, of any entity: one builder for each entity, made when first needed.
final class NestedRows {
  /// The maximum depth of nested objects.
  static let deepest = 64

  private let schema: Schema
  private let columns: (String) -> [Column]
  private var builders: [String: RowBuilder] = [:]
  private var readers: [String: ObjectText] = [:]

  /// - Parameter columns: The columns of an entity's rows, as they are inserted.
  init(schema: Schema, columns: @escaping (String) -> [Column]) {
    self.schema = schema
    self.columns = columns
  }

  enum Outcome {
    case target(LinkTarget)
    /// The reason it can't be an object, and whether the text begins with the name of one of its properties.
    case unfit(String, isWithin: Bool)
  }

  /// The object of an entity that a text such as `{"@id": 17}` or `{"name": "Ann"}` refers to.
  func read(_ text: [UInt8], of name: String, depth: Int) -> Outcome {
    guard depth < Self.deepest else { return .unfit("objects nested deeper than \(Self.deepest)", isWithin: false) }
    guard let entity = schema.entity(named: name) else { return .unfit("there is no entity \(name)", isWithin: false) }
    let reader = readers[name] ?? ObjectText()
    readers[name] = reader
    let builder =
      builders[name]
      ?? RowBuilder(
        columns: columns(name), entity: entity, schema: schema, paths: [:], dates: [:], nested: self, isNested: true)
    builders[name] = builder
    guard let record = reader.read(text) else { return .unfit(reader.problem, isWithin: false) }
    if let reason = builder.build(record, of: reader) { return .unfit(reason, isWithin: true) }
    if let number = builder.identity {
      guard record.count == 1 else {
        return .unfit("@id: it names an object, and nothing else may stand beside it", isWithin: true)
      }
      return .target(.number(number))
    }
    switch builder.linked(depth: depth + 1) {
    case .unfit(let reason): return .unfit(reason, isWithin: true)
    case .row(let row): return .target(.row(row))
    }
  }

  /// Sentences on properties that several names fill, each with its entity.
  var notes: [String] {
    builders.sorted { $0.key < $1.key }.flatMap { name, builder in builder.notes.map { "\(name).\($0)" } }
  }

  /// Paths of the data that have no property, each with its entity.
  var leftOut: [(entity: String, path: String)] {
    builders.sorted { $0.key < $1.key }.flatMap { name, builder in builder.leftOut.map { (name, $0) } }
  }
}

/// Reads one object from a text.
final class ObjectText: FieldNames {
  private let reader: OpaquePointer?
  private var padded: [CChar] = []

  init() { reader = csj_reader_create() }

  deinit { if let reader { csj_reader_destroy(reader) } }

  /// The fields of the object, valid until the next read; nil when the text is not an object.
  func read(_ text: [UInt8]) -> UnsafeBufferPointer<Field>? {
    guard let reader else { return nil }
    padded.removeAll(keepingCapacity: true)
    padded.append(contentsOf: text.lazy.map { CChar(bitPattern: $0) })
    padded.append(contentsOf: repeatElement(0, count: csj_padding()))
    // The fields point into the array, which does not change until the next text.
    let isRead = padded.withUnsafeBufferPointer { csj_read(reader, $0.baseAddress, text.count) }
    guard isRead else { return nil }
    var count = 0
    let fields = csj_fields(reader, &count)
    return UnsafeBufferPointer(start: fields, count: count)
  }

  /// The reason the last text was not an object.
  var problem: String {
    var offset = 0
    return reader.flatMap { csj_problem($0, &offset) }.map { String(cString: $0) } ?? "not JSON"
  }

  func name(ofPath path: UInt32) -> String {
    var names: [String] = []
    var next = Int64(path)
    while let reader, next >= 0, next < Int64(csj_path_count(reader)) {
      var length = 0
      guard let text = csj_path_name(reader, Int(next), &length) else { break }
      names.append(String(decoding: UnsafeRawBufferPointer(start: text, count: length), as: UTF8.self))
      next = csj_path_parent(reader, Int(next))
    }
    return names.reversed().joined(separator: ".")
  }

  func keepWhole(path: UInt32) { if let reader { csj_keep_whole(reader, Int(path)) } }
}
