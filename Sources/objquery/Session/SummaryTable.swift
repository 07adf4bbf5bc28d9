import ObjectStoreCore
internal import Values

/// The rows of `.describe`: one for each property. For people, with shares in per cent and small bars; for programs, with
/// plain numbers.
struct SummaryTable {
  private(set) var columns: [(name: String, type: ScalarType)]
  private(set) var rows: [[Value]] = []

  init(_ summaries: [(entity: String, properties: [PropertySummary])], forPrograms: Bool) {
    columns = [
      ("property", .string), ("type", .string), ("nil", forPrograms ? .int : .string),
      ("distinct", forPrograms ? .int : .string), ("least", .string), ("greatest", .string), ("mean", .double),
      ("top", .string),
    ]
    if forPrograms {
      columns.insert(("objects", .int), at: 2)
      columns.append(("isEstimate", .bool))
    }
    let namesEntity = forPrograms || summaries.count > 1
    if namesEntity { columns.insert(("entity", .string), at: 0) }
    for (entity, properties) in summaries {
      for property in properties {
        let row = forPrograms ? Self.numbers(property) : Self.words(property)
        rows.append((namesEntity ? [.string(entity)] : []) + row)
      }
    }
  }

  private static func type(_ property: PropertySummary) -> String {
    let name: String
    switch property.column.kind {
    case .scalar(let type): name = type.rawValue
    case .presence: return "struct?"
    case .collection(.array, let type): return "[\(type.rawValue)]"
    case .collection(.set, let type): return "Set<\(type.rawValue)>"
    case .collection(.dictionary, let type): return "[String: \(type.rawValue)]"
    case .link(let entity): return "Link<\(entity)>"
    case .links(let entity): return "List<\(entity)>"
    case .structs(let structure): return "[\(structure)]"
    case .parts(let type, _): name = type.rawValue
    case .presences: return "[struct?]"
    }
    return name + (property.column.isOptional ? "?" : "")
  }

  /// For programs.
  private static func numbers(_ property: PropertySummary) -> [Value] {
    let top = property.top.map { frequent in
      Value.embedded([
        EmbeddedField(name: "value", value: frequent.value),
        EmbeddedField(name: "count", value: .int(Int64(frequent.count))),
      ])
    }
    return [
      .string(property.path), .string(type(property)), .int(Int64(property.objects)), .int(Int64(property.nils)),
      property.distinct.map { .int(Int64($0)) } ?? .null, property.least, property.greatest, property.mean, .list(top),
      .bool(property.isEstimate),
    ]
  }

  /// For people.
  private static func words(_ property: PropertySummary) -> [Value] {
    let distinct = property.distinct.map { (property.isEstimate ? "~" : "") + grouped($0) }
    let top = property.top.map { frequent in
      let share = Self.share(frequent.count, of: property.objects)
      return
        "\(short(frequent.value)) \(bar(frequent.count, of: property.objects))\(property.isEstimate ? "~" : "")\(share)"
    }
    return [
      .string(property.path), .string(type(property)), .string(share(property.nils, of: property.objects)),
      distinct.map(Value.string) ?? .null, .string(short(property.least)), .string(short(property.greatest)),
      rounded(property.mean), .string(top.joined(separator: ", ")),
    ]
  }

  /// A value as at most 24 characters.
  private static func short(_ value: Value) -> String {
    let text = value.isNull ? "" : ValueText.plain(value, null: "")
    return text.count <= 24 ? text : text.prefix(23) + "…"
  }

  /// A mean with as many digits as one looks at.
  private static func rounded(_ mean: Value) -> Value {
    guard case .double(let number) = mean, number.isFinite, number.magnitude < 1e12 else { return mean }
    let scale = number.magnitude >= 100 ? 10.0 : 1_000
    return .double((number * scale).rounded() / scale)
  }

  /// A share in per cent; one that is not nothing is never 0 %.
  private static func share(_ count: Int, of all: Int) -> String {
    guard all > 0, count > 0 else { return "0%" }
    let percent = Double(count) / Double(all) * 100
    if percent < 0.1 { return "<0.1%" }
    if percent < 10 || (percent > 99 && count < all) {
      return NumberText.text((percent * 10).rounded(.down) / 10).replacing(".0", with: "") + "%"
    }
    return "\(Int(percent.rounded()))%"
  }

  /// A bar of up to six characters in eighths.
  private static func bar(_ count: Int, of all: Int) -> String {
    guard all > 0, count > 0 else { return "" }
    let eighths = max(1, Int((Double(count) / Double(all) * 48).rounded()))
    let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    return String(repeating: "█", count: eighths / 8) + part + " "
  }
}
