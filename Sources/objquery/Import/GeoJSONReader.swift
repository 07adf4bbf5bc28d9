import CSimdjson

/// Converts GeoJSON features to flat records: `id`, the properties, and a point as `location`.
///
/// It does not know types. Geometries other than points can't be stored yet: such features are refused rows.
final class GeoJSONReader: RecordReader {
  private let features: JSONReader
  private var roles: [Role] = []
  private var names: [String] = ["id", "location", "location.longitude", "location.latitude", "location.altitude"]
  private let fields = FieldBuffer()
  private var sawOtherId = false

  /// The role of a field of a feature.
  private enum Role { case ignored, type, id, geometry, geometryType, coordinates, property(UInt32) }

  private enum Path {
    static let id: UInt32 = 0
    static let location: UInt32 = 1
    static let longitude: UInt32 = 2
    static let latitude: UInt32 = 3
    static let altitude: UInt32 = 4
  }

  init(_ features: JSONReader) { self.features = features }

  var offset: Int { features.offset }
  var fraction: Double { features.fraction }

  var notes: [String] {
    sawOtherId ? ["the features have an id and a property 'id': the feature's own is kept"] : []
  }

  func name(ofPath path: UInt32) -> String { names.indices.contains(Int(path)) ? names[Int(path)] : "" }

  func rewind() throws(ByteWindow.Failure) { try features.rewind() }

  func next() throws(ByteWindow.Failure) -> ReadOutcome {
    let outcome = try features.next()
    guard case .record(let record, let line) = outcome else { return outcome }
    if let reason = flatten(record) { return .bad(line: line, reason: reason) }
    return .record(fields.fields, line: line)
  }

  /// Fills `fields`; returns a sentence when the record is not a feature that can be stored.
  private func flatten(_ record: UnsafeBufferPointer<Field>) -> String? {
    fields.removeAll()
    var isFeature = false
    var id: Field?
    var geometry: Field?
    var geometryType: Field?
    var coordinates: Field?
    var hasPropertyId = false
    for field in record {
      switch role(of: field.path) {
      case .ignored: break
      case .type: isFeature = field.kind == csj_string && field.string == "Feature"
      case .id: id = field
      case .geometry: geometry = field
      case .geometryType: geometryType = field
      case .coordinates: coordinates = field
      case .property(let path):
        if path == Path.id { hasPropertyId = true }
        var field = field
        field.path = path
        fields.append(field)
      }
    }
    guard isFeature else { return "not a GeoJSON feature: its \"type\" is not \"Feature\"" }
    if var id, id.kind != csj_null {
      id.path = Path.id
      if hasPropertyId { sawOtherId = true }
      fields.replace(id)
    }
    guard let geometry, geometry.kind == csj_object else {
      fields.append(Field(path: Path.location, kind: csj_null))
      return nil
    }
    guard let geometryType, geometryType.kind == csj_string, geometryType.string == "Point" else {
      let type =
        geometryType.map { $0.kind == csj_string ? $0.string : "thing without a type" } ?? "thing without a type"
      return "its geometry is a \(type); only points can be stored"
    }
    return appendPoint(coordinates)
  }

  private func appendPoint(_ coordinates: Field?) -> String? {
    var place = (0.0, 0.0, 0.0)
    var count: Int64 = -1
    if let coordinates, coordinates.kind == csj_array {
      count = withUnsafeMutableBytes(of: &place) {
        csj_numbers(coordinates.text, coordinates.length, $0.assumingMemoryBound(to: Double.self).baseAddress, 3)
      }
    }
    guard count >= 2 else { return "the coordinates of its point are not two or three numbers" }
    fields.append(Field(path: Path.location, kind: csj_object))
    fields.append(Field(path: Path.longitude, real: place.0))
    fields.append(Field(path: Path.latitude, real: place.1))
    if count > 2 { fields.append(Field(path: Path.altitude, real: place.2)) }
    return nil
  }

  private func role(of path: UInt32) -> Role {
    let index = Int(path)
    while roles.count <= index { roles.append(newRole(features.name(ofPath: UInt32(roles.count)))) }
    return roles[index]
  }

  private func newRole(_ name: String) -> Role {
    switch name {
    case "type": return .type
    case "id": return .id
    case "geometry": return .geometry
    case "geometry.type": return .geometryType
    case "geometry.coordinates": return .coordinates
    default:
      guard name.hasPrefix("properties.") else { return .ignored }
      let property = String(name.dropFirst("properties.".count))
      if property == "id" { return .property(Path.id) }
      let taken = property == "location" || property.hasPrefix("location.")
      names.append(taken ? "properties_" + property : property)
      return .property(UInt32(names.count - 1))
    }
  }
}

extension Field {
  fileprivate init(path: UInt32, kind: csj_kind) {
    self.init()
    self.path = path
    self.kind = kind
  }

  fileprivate init(path: UInt32, real: Double) {
    self.init(path: path, kind: csj_real)
    self.real = real
  }
}
