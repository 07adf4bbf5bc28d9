import Foundation
import ObjectStoreCore

/// The earthquake as a model. Its conformance is what `@Model` writes, by hand: the macro would have this package build
/// swift-syntax, which takes longer than measuring.
struct StoredQuake: Model {
  var code: String
  var magnitude: Double?
  var time: Date
  var place: String?
  var depth: Double
  var felt: Int?
  var significance: Int
  var tsunami: Bool
  var type: String
  var objectIdentity = ObjectIdentity<StoredQuake>()

  var objectID: ObjectID<StoredQuake>? {
    get { objectIdentity.id }
    set { objectIdentity.id = newValue }
  }

  init(_ row: QuakeRow) {
    code = row.code
    magnitude = row.magnitude
    time = row.time
    place = row.place
    depth = row.depth
    felt = row.felt
    significance = row.significance
    tsunami = row.tsunami
    type = row.type
  }

  static let modelDefinition = ModelDefinition(of: StoredQuake.self, name: "Quake") { model in
    model.property("code", \StoredQuake.code, \StoredQuake?.?.code)
    model.property("magnitude", \StoredQuake.magnitude, \StoredQuake?.?.magnitude)
    model.property("time", \StoredQuake.time, \StoredQuake?.?.time)
    model.property("place", \StoredQuake.place, \StoredQuake?.?.place)
    model.property("depth", \StoredQuake.depth, \StoredQuake?.?.depth)
    model.property("felt", \StoredQuake.felt, \StoredQuake?.?.felt)
    model.property("significance", \StoredQuake.significance, \StoredQuake?.?.significance)
    model.property("tsunami", \StoredQuake.tsunami, \StoredQuake?.?.tsunami)
    model.property("type", \StoredQuake.type, \StoredQuake?.?.type)
  }

  init(from row: inout RowDecoder) throws {
    code = try row.next()
    magnitude = try row.next()
    time = try row.next()
    place = try row.next()
    depth = try row.next()
    felt = try row.next()
    significance = try row.next()
    tsunami = try row.next()
    type = try row.next()
  }

  func encode(into row: inout RowEncoder) {
    code.encode(into: &row)
    magnitude.encode(into: &row)
    time.encode(into: &row)
    place.encode(into: &row)
    depth.encode(into: &row)
    felt.encode(into: &row)
    significance.encode(into: &row)
    tsunami.encode(into: &row)
    type.encode(into: &row)
  }
}

extension QuakeRow {
  /// The values of a `Quake` in the order of its columns.
  var values: [Value] {
    [
      .string(code), magnitude.map { .double($0) } ?? .null,
      .date(Instant(seconds: time.timeIntervalSinceReferenceDate)), place.map { .string($0) } ?? .null, .double(depth),
      felt.map { .int(Int64($0)) } ?? .null, .int(Int64(significance)), .bool(tsunami), .string(type),
    ]
  }
}

/// The five properties of the plain insertion rows.
struct SmallQuake: Model {
  var magnitude: Double?
  var time: Date
  var place: String?
  var depth: Double
  var significance: Int
  var objectIdentity = ObjectIdentity<SmallQuake>()

  var objectID: ObjectID<SmallQuake>? {
    get { objectIdentity.id }
    set { objectIdentity.id = newValue }
  }

  init(_ row: QuakeRow) {
    magnitude = row.magnitude
    time = row.time
    place = row.place
    depth = row.depth
    significance = row.significance
  }

  static let modelDefinition = ModelDefinition(of: SmallQuake.self, name: "SmallQuake") { model in
    model.property("magnitude", \SmallQuake.magnitude, \SmallQuake?.?.magnitude)
    model.property("time", \SmallQuake.time, \SmallQuake?.?.time)
    model.property("place", \SmallQuake.place, \SmallQuake?.?.place)
    model.property("depth", \SmallQuake.depth, \SmallQuake?.?.depth)
    model.property("significance", \SmallQuake.significance, \SmallQuake?.?.significance)
  }

  init(from row: inout RowDecoder) throws {
    magnitude = try row.next()
    time = try row.next()
    place = try row.next()
    depth = try row.next()
    significance = try row.next()
  }

  func encode(into row: inout RowEncoder) {
    magnitude.encode(into: &row)
    time.encode(into: &row)
    place.encode(into: &row)
    depth.encode(into: &row)
    significance.encode(into: &row)
  }
}
