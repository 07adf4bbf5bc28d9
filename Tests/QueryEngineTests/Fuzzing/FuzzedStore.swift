import Schema
import Storage
import Values

/// A store in memory with every kind of property, and few enough objects that any question about them is answered soon.
///
/// Shared by the fuzzing target and by the test that runs its corpus. It imports no testing library.
enum FuzzedStore {
  static func file() throws -> StoreFile {
    let file = try StoreFile.inMemory(declaring: try SchemaText.parse(declaration))
    try file.write { session in
      guard let entity = session.schema.entity(named: "Quake") else { return }
      for row in 0..<4 { _ = try session.insert(values(of: entity, row: row), into: entity) }
    }
    return file
  }

  private static let declaration = """
    @Model struct Location { var name: String; var longitude: Double; var latitude: Double }
    @Model struct Part { var level: Int; var words: [String]; var place: Location? }
    @Model struct Quake {
      #Index([\\.magnitude], [\\.place, \\.felt], [\\.small], [\\.time])
      @Attribute(.unique) var code: String
      @Attribute(.folded, .trigram) var name: String?
      var magnitude: Double; var time: Date; var place: String?; var depth: Float?; var felt: Int?
      var flag: Bool; var maybe: Bool?; var id: UUID?; var bytes: Data?
      var tiny: Int8; var short: Int16?; var small: Int32; var opened: Date?
      var location: Location?; var part: Part
      var labels: [String]; var ratings: [Int]; var scores: [Double]?; var weights: [Float]; var flags: [Bool]
      var days: [Date]; var ids: [UUID]; var blobs: [Data]?; var bits: [Int8]
      var tags: Set<String>; var numbers: Set<Int>?; var moments: Set<Date>; var shares: Set<Double>
      var prices: [String: Double]; var words: [String: String]?; var counts: [String: Int]
    }
    """

  /// A row that depends on nothing but its number; of four the last has nil wherever it may.
  private static func values(of entity: StoredEntity, row: Int) -> [Value] {
    var absent: [String] = []
    return entity.columns.map { stored in
      let column = stored.column
      if absent.contains(where: { column.path.hasPrefix($0 + ".") }) { return .null }
      switch column.kind {
      case .presence:
        if row == 3 { absent.append(column.path) }
        return row == 3 ? .null : .bool(true)
      case .scalar(let type):
        if row == 3, column.isOptional { return .null }
        return value(type, row)
      // The schema has no links.
      case .link: return .null
      case .links: return .list([])
      // Of structs as many as of elements.
      case .structs: return .int(Int64((row + 1) % 4))
      case .presences: return .list((0..<(row + 1) % 4).map { $0 == row % 3 ? .null : .bool(true) })
      case .parts(let type, let isOptional):
        return .list(
          (0..<(row + 1) % 4).map { isOptional && $0 == row % 3 ? .null : value(type, $0 + row) })
      case .collection(let kind, let type):
        if row == 3, column.isOptional { return .null }
        // None, one, two, three elements; those of a set in their order.
        let elements = (0..<(row + 1) % 4).map { value(type, kind == .set ? $0 + 1 : 3 - $0) }
        guard kind == .dictionary else { return .list(elements) }
        return .embedded(zip(["", "a", "key"], elements).map { EmbeddedField(name: $0, value: $1) })
      }
    }
  }

  private static func value(_ type: ScalarType, _ row: Int) -> Value {
    switch type {
    case .bool: .bool(row > 1)
    case .int8, .int16, .int32, .int: .int(Int64(row * 3 - 1))
    case .float: .float(Float(row) * 1.5 - 1)
    case .double: .double(Double(row) * 2.5 + 1)
    case .decimal: .decimal(DecimalValue("\(row).5") ?? .nan)
    case .string: .string("x\(row) Größe")
    case .date: .date(Instant(seconds: Double(row) * 86_400))
    case .uuid: .uuid(UUIDBytes(high: UInt64(row), low: 7))
    case .data: .data([UInt8(row), 255])
    }
  }
}
