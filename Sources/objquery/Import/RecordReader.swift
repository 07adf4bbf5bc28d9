import CSimdjson

/// One field of a record as read: the number of its path, and what stands there. Text is valid until the next record.
typealias Field = csj_field

/// What a reader found next.
enum ReadOutcome {
  /// A record, which began on that line.
  case record(UnsafeBufferPointer<Field>, line: Int)
  /// Something that is no record, which can be stepped over.
  case bad(line: Int, reason: String)
  /// The end of the file.
  case end
  /// The rest of the file cannot be read.
  case damaged(line: Int, offset: Int, reason: String)
}

/// Knows the names of the fields of records.
protocol FieldNames: AnyObject {
  /// The dotted path of a field, such as `location.longitude`.
  func name(ofPath path: UInt32) -> String
  /// Objects at that path are not looked into from the next record on: they are values of a dictionary, or linked.
  func keepWhole(path: UInt32)
}

/// Reads a file record by record. It knows a format and numbers the paths of the fields; it knows no types and no schema.
protocol RecordReader: FieldNames {
  /// The next record; what it points to lives until the next call.
  func next() throws(ByteWindow.Failure) -> ReadOutcome
  /// Back to the first record; paths keep their numbers.
  func rewind() throws(ByteWindow.Failure)
  /// The place in the file of the record last read, or after it.
  var offset: Int { get }
  /// How far it has come, 0…1.
  var fraction: Double { get }
  /// Sentences on what was left out or renamed.
  var notes: [String] { get }
}

extension RecordReader {
  /// Formats without objects have nothing to keep.
  func keepWhole(path: UInt32) {}
}

extension Field {
  /// The text of a string or an array, as bytes.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: text, count: length) }

  /// The text of a string or an array.
  var string: String { String(decoding: bytes, as: UTF8.self) }
}
