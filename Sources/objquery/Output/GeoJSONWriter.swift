import ObjectStoreCore
internal import Values

/// Writes objects as features of a GeoJSON FeatureCollection: the first struct with a longitude and a latitude is the
/// geometry, `id` the feature's, and everything else its properties. It is read back by an import.
final class GeoJSONWriter: ResultWriter {
  private let sink: OutputSink
  /// Of features with a geometry: without the coordinates.
  private let properties: JSONWriter
  /// Of features without one.
  private let all: JSONWriter
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
    /// Where it is whether the struct is there.
    var presence: Int?

    var places: Set<Int> { Set([longitude, latitude, altitude].compactMap(\.self)) }
  }

  init(_ shape: OutputShape, _ sink: OutputSink) {
    self.sink = sink
    point = shape.point
    id = shape.identity
    let whole = shape.removing(id == nil ? [] : ["id"])
    all = JSONWriter(.lines, whole, sink)
    properties = JSONWriter(.lines, point.map { whole.removing($0.places, of: $0.field) } ?? whole, sink)
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
      let hasPoint = append(values, to: &text)
      text.append(",\"properties\":")
      // Of a struct that is nil nothing is lost.
      let isNil = point?.presence.map { values.indices.contains($0) && values[$0].isNull } ?? false
      (hasPoint || isNil ? properties : all).append(values, to: &text)
      text.append("}")
    }
    isFirst = false
  }

  func end() throws { try sink.write(isFirst ? "]}\n" : "\n]}\n") }

  /// Appends the point; null where a coordinate is nil or no number. Returns whether there is one.
  private func append(_ values: [Value], to text: inout TextBytes) -> Bool {
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
      return false
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
    return true
  }
}

extension OutputShape {
  /// The shape without some values of a struct, and without the struct if it has no others; of columns without a struct,
  /// if `heading` is empty.
  fileprivate func removing(_ places: Set<Int>, of heading: String) -> OutputShape {
    func isThere(_ field: Field) -> Bool {
      if case .leaf(let place) = field.content { !places.contains(place) } else { true }
    }
    var shape = self
    shape.fields = fields.compactMap { field in
      if heading.isEmpty { return isThere(field) ? field : nil }
      guard field.heading == heading, case .structure(let presence, let inner) = field.content else { return field }
      let rest = inner.filter(isThere)
      return rest.isEmpty ? nil : Field(heading: heading, content: .structure(presence: presence, rest))
    }
    return shape
  }

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
      if case .structure(let presence, let inner) = field.content, var found = point(inner, of: field.heading) {
        found.presence = presence
        return found
      }
    }
    // `SELECT location.longitude, location.latitude` has the paths as headings.
    func parts(_ field: Field) -> [Substring] { field.heading.split(separator: ".") }
    var seen: Set<[Substring]> = []
    for prefix in fields.map({ parts($0).dropLast() }) where seen.insert(Array(prefix)).inserted {
      let named = fields.filter { parts($0).dropLast() == prefix }.map { field in
        Field(heading: parts(field).last.map(String.init) ?? field.heading, content: field.content)
      }
      if let found = point(named, of: "") { return found }
    }
    return nil
  }

  /// The place of the field `id`.
  fileprivate var identity: Int? {
    guard case .leaf(let place)? = fields.first(where: { $0.heading == "id" })?.content else { return nil }
    return place
  }
}
