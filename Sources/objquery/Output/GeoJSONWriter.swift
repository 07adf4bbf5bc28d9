import ObjectStoreCore

/// Writes objects as features of a GeoJSON FeatureCollection: the first struct with a longitude and a latitude is the
/// geometry, `id` the feature's, and everything else its properties. It is read back by an import.
final class GeoJSONWriter: ResultWriter {
  private let sink: OutputSink
  private let properties: JSONWriter
  private let point: Point?
  private let id: Int?
  private var isFirst = true

  /// Where the coordinates are in a row.
  struct Point {
    var longitude: Int
    var latitude: Int
    var altitude: Int?
    /// The field of the result that they are of.
    var field: String
  }

  init(_ shape: OutputShape, _ sink: OutputSink) {
    self.sink = sink
    point = shape.point
    id = shape.identity
    properties = JSONWriter(.lines, shape.removing([point?.field, id == nil ? nil : "id"].compactMap(\.self)), sink)
  }

  func begin() throws {
    guard point != nil else {
      throw CommandFailure(
        description:
          "geojson needs places: a struct with a longitude and a latitude among the properties, or both selected by name",
        code: "no-location")
    }
    try sink.write("{\"type\":\"FeatureCollection\",\"features\":[")
  }

  func row(_ values: [Value]) throws {
    try sink.write { text in
      text.append(isFirst ? "\n{\"type\":\"Feature\"" : ",\n{\"type\":\"Feature\"")
      if let id, values.indices.contains(id), !values[id].isNull {
        text.append(",\"id\":")
        ValueText.appendJSON(values[id], to: &text)
      }
      text.append(",\"geometry\":")
      append(values, to: &text)
      text.append(",\"properties\":")
      properties.append(values, to: &text)
      text.append("}")
    }
    isFirst = false
  }

  func end() throws { try sink.write(isFirst ? "]}\n" : "\n]}\n") }

  /// The point; null where a coordinate is nil or no number.
  private func append(_ values: [Value], to text: inout TextBytes) {
    func number(_ place: Int?) -> Double? {
      guard let place, values.indices.contains(place) else { return nil }
      let number: Double? =
        switch values[place] {
        case .int(let number): Double(number)
        case .float(let number): Double(number)
        case .double(let number): number
        case .decimal(let number): number.double
        case .null, .bool, .string, .date, .uuid, .data, .list, .embedded, .object: nil
        }
      return number.flatMap { $0.isFinite ? $0 : nil }
    }
    guard let longitude = number(point?.longitude), let latitude = number(point?.latitude) else {
      text.append("null")
      return
    }
    text.append("{\"type\":\"Point\",\"coordinates\":[")
    NumberText.append(longitude, to: &text)
    text.append(",")
    NumberText.append(latitude, to: &text)
    if let altitude = number(point?.altitude) {
      text.append(",")
      NumberText.append(altitude, to: &text)
    }
    text.append("]}")
  }
}

extension OutputShape {
  /// The coordinates of a row: those of the first struct with a longitude and a latitude, or two columns of these names.
  fileprivate var point: GeoJSONWriter.Point? {
    func point(_ fields: [Field], of name: String) -> GeoJSONWriter.Point? {
      func leaf(_ name: String) -> Int? {
        guard case .leaf(let place)? = fields.first(where: { $0.heading.lowercased() == name })?.content else {
          return nil
        }
        return place
      }
      guard let longitude = leaf("longitude"), let latitude = leaf("latitude") else { return nil }
      return GeoJSONWriter.Point(longitude: longitude, latitude: latitude, altitude: leaf("altitude"), field: name)
    }
    for field in fields {
      if case .structure(_, let inner) = field.content, let found = point(inner, of: field.heading) { return found }
    }
    // `SELECT location.longitude, location.latitude` has the paths as headings.
    let named = fields.map { field in
      Field(heading: field.heading.split(separator: ".").last.map(String.init) ?? field.heading, content: field.content)
    }
    return point(named, of: "")
  }

  /// The place of the field `id`.
  fileprivate var identity: Int? {
    guard case .leaf(let place)? = fields.first(where: { $0.heading == "id" })?.content else { return nil }
    return place
  }
}
