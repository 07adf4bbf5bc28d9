import CSimdjson

/// One field of a record: the number of its path, and its value. Text is valid until the next record.
typealias Field = csj_field

/// The result of reading the next record.
enum ReadOutcome {
  /// A record, which began on that line.
  case record(UnsafeBufferPointer<Field>, line: Int)
  /// Invalid data that can be skipped.
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
  /// From the next record on, objects at that path are not split into fields: they are dictionaries or link targets.
  func keepWhole(path: UInt32)
}

/// Reads a file record by record. It knows a format and numbers the paths of the fields; it knows neither types nor a
/// schema.
protocol RecordReader: FieldNames {
  /// The next record; its pointers are valid until the next call.
  func next() throws(ByteWindow.Failure) -> ReadOutcome
  /// Returns to the first record; paths keep their numbers.
  func rewind() throws(ByteWindow.Failure)
  /// The position in the file of the record just read, or after it.
  var offset: Int { get }
  /// The progress, 0…1.
  var fraction: Double { get }
  /// Sentences on fields that were left out or renamed.
  var notes: [String] { get }
}

extension RecordReader {
  /// Formats without objects ignore this.
  func keepWhole(path: UInt32) {}
}

extension Field {
  /// The text of a string or an array, as bytes.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: text, count: length) }

  /// The text of a string or an array.
  var string: String { String(decoding: bytes, as: UTF8.self) }
}
