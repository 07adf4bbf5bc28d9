import Foundation
import ObjectStoreCore

/// A struct with a collection, embedded in `Sample`.
struct Notes: Model {
  var words: [String] = []
  private var _objectID = ObjectIdentity<Notes>()

  init(_ words: [String]) { self.words = words }

  static let modelDefinition = ModelDefinition(of: Notes.self, name: "Notes") { model in
    model.property("words", \Notes.words, \Notes?.?.words)
  }

  var objectID: ObjectID<Notes>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  var objectIdentity: ObjectIdentity<Notes> {
    get { _objectID }
    set { _objectID = newValue }
  }

  init(from row: inout RowDecoder) throws { words = try row.next() }

  func encode(into row: inout RowEncoder) { words.encode(into: &row) }
}

/// A model with collections of every kind, by hand.
struct Sample: Model {
  var code: String
  var counts: [Int] = []
  var labels: Set<String> = []
  var shares: [String: Double] = [:]
  var moments: [Date] = []
  var keys: Set<UUID>?
  var flags: [Bool]?
  var bytes: [String: Data]?
  var notes = Notes([])
  var remarks: Notes?
  private var _objectID = ObjectIdentity<Sample>()

  init(_ code: String) { self.code = code }

  static let modelDefinition = ModelDefinition(of: Sample.self, name: "Sample") { model in
    model.property("code", \Sample.code, \Sample?.?.code, indexes: [.unique])
    model.property("counts", \Sample.counts, \Sample?.?.counts, default: [])
    model.property("labels", \Sample.labels, \Sample?.?.labels, default: ["b", "a"])
    model.property("shares", \Sample.shares, \Sample?.?.shares, default: ["k": 0.5])
    model.property("moments", \Sample.moments, \Sample?.?.moments)
    model.property("keys", \Sample.keys, \Sample?.?.keys)
    model.property("flags", \Sample.flags, \Sample?.?.flags)
    model.property("bytes", \Sample.bytes, \Sample?.?.bytes)
    model.property("notes", \Sample.notes, \Sample?.?.notes)
    model.property("remarks", \Sample.remarks, \Sample?.?.remarks)
  }

  var objectID: ObjectID<Sample>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  var objectIdentity: ObjectIdentity<Sample> {
    get { _objectID }
    set { _objectID = newValue }
  }

  init(from row: inout RowDecoder) throws {
    code = try row.next()
    counts = try row.next()
    labels = try row.next()
    shares = try row.next()
    moments = try row.next()
    keys = try row.next()
    flags = try row.next()
    bytes = try row.next()
    notes = try row.next()
    remarks = try row.next()
  }

  func encode(into row: inout RowEncoder) {
    code.encode(into: &row)
    counts.encode(into: &row)
    labels.encode(into: &row)
    shares.encode(into: &row)
    moments.encode(into: &row)
    keys.encode(into: &row)
    flags.encode(into: &row)
    bytes.encode(into: &row)
    notes.encode(into: &row)
    remarks.encode(into: &row)
  }
}

extension Sample {
  /// An empty one, a small one, and one with a collection too large to lie beside the others.
  static let three: [Sample] = {
    var small = Sample("small")
    small.counts = [3, -1, 3, .max]
    small.labels = ["", "é", "z", "A"]
    small.shares = ["": .infinity, "b": -0.0, "a": 0.1]
    small.moments = [Date(timeIntervalSinceReferenceDate: 0.1), Date(timeIntervalSinceReferenceDate: -5)]
    small.keys = [UUID(), UUID()]
    small.flags = [true, false, true]
    small.bytes = ["x": Data([0xFF, 0]), "y": Data()]
    small.notes = Notes(["one", "two"])
    small.remarks = Notes([])
    var large = Sample("large")
    large.counts = (0..<5000).map { $0 * 977 }
    large.flags = []
    return [Sample("empty"), small, large]
  }()
}
