import Foundation
import TestSeeds

/// Objects with properties of every type, as lines of JSON: in each cluster the values of a property are of another
/// kind, so that all encodings occur.
struct RandomObjects {
  static let schema = """
    @Model struct Point { var x: Double; var y: Double? }
    @Model struct Line { var item: String; var count: Int?; var at: Point?; var kind: Int8?; var note: Data? }
    @Model struct Thing {
      var serial: Int
      var flag: Bool; var flagged: Bool?
      var a: Int8?; var b: Int16; var c: Int32?; var n: Int?
      var f: Float?; var d: Double?; var when: Date?; var id: UUID?
      var text: String; var word: String?; var blob: Data?; var price: Decimal?
      var place: Point; var at: Point?
      var flags: [Bool]; var small: [Int16]; var nums: Set<Int>; var reals: [Double]; var singles: [Float]
      var days: [Date]; var ids: [UUID]; var words: [String]; var blobs: [Data]; var prices: [Decimal]
      var counts: [String: Int]; var names: [String: String]; var amounts: [String: Decimal]
      var lines: [Line]
      var next: Link<Thing>?; var others: List<Thing>
    }

    """

  private typealias Maker = (inout SeededNumbers) -> String

  private var random: SeededNumbers
  private var count = 0

  init(seed: UInt64) { random = SeededNumbers(seed) }

  /// More objects, which link to each other.
  mutating func lines(_ more: Int) -> String {
    let numbers = count + 1...count + more
    count += more
    var text = ""
    var makers: [(String, Maker)] = []
    for number in numbers {
      if makers.isEmpty || number % 256 == 1 { makers = newMakers() }
      var fields = ["\"@id\":\(number)", "\"serial\":\(number)"]
      for (name, make) in makers { fields.append("\"\(name)\":\(make(&random))") }
      let link = { (random: inout SeededNumbers) in "{\"@id\":\(Int.random(in: numbers, using: &random))}" }
      fields.append("\"next\":\(Bool.random(using: &random) ? "null" : link(&random))")
      let others = (0..<Int.random(in: 0...3, using: &random)).map { _ in link(&random) }
      fields.append("\"others\":[\(others.joined(separator: ","))]")
      text += "{\(fields.joined(separator: ","))}\n"
    }
    return text
  }

  private mutating func newMakers() -> [(String, Maker)] {
    [
      ("flag", bools()), ("flagged", optional(bools())),
      ("a", optional(integers(-128...127))), ("b", integers(-32_768...32_767)),
      ("c", optional(integers(Int64(Int32.min)...Int64(Int32.max)))), ("n", optional(integers(.min ... .max))),
      ("f", optional(singles())), ("d", optional(doubles())), ("when", optional(dates())), ("id", optional(uuids())),
      ("text", texts()), ("word", optional(texts())), ("blob", optional(datas())), ("price", optional(decimals())),
      ("place", points()), ("at", optional(points())),
      ("flags", list(bools())), ("small", list(integers(-32_768...32_767))), ("nums", list(integers(.min ... .max))),
      ("reals", list(doubles())), ("singles", list(singles())), ("days", list(dates())), ("ids", list(uuids())),
      ("words", list(texts())), ("blobs", list(datas())), ("prices", list(decimals())),
      ("counts", dictionary(integers(-10...10))), ("names", dictionary(texts())), ("amounts", dictionary(decimals())),
      ("lines", list(structs())),
    ]
  }

  // MARK: Values of one property in one cluster

  private mutating func bools() -> Maker {
    let shares: [Double] = [0, 0.5, 1]
    let share = shares.randomElement(using: &random) ?? 0.5
    return { Double.random(in: 0..<1, using: &$0) < share ? "true" : "false" }
  }

  /// All alike, few, near each other, or any.
  private mutating func integers(_ range: ClosedRange<Int64>) -> Maker {
    let base = Int64.random(in: range, using: &random)
    let widths: [Int64] = [0, 1, 200, 60_000, 1 << 30, 1 << 40]
    let width = widths.randomElement(using: &random) ?? 0
    let isAny = Int.random(in: 0..<4, using: &random) == 0
    return { random in
      if isAny {
        return
          "\([range.lowerBound, range.upperBound, .random(in: range, using: &random)].randomElement(using: &random) ?? 0)"
      }
      let (sum, overflow) = base.addingReportingOverflow(Int64.random(in: 0...width, using: &random))
      return "\(overflow || !range.contains(sum) ? base : sum)"
    }
  }

  private mutating func doubles() -> Maker {
    let constant = Double.random(in: -100...100, using: &random)
    return switch Int.random(in: 0..<6, using: &random) {
    case 0: { _ in "\(constant)" }
    case 1: { "\(Double(Int.random(in: -500...500, using: &$0)) / 10)" }
    case 2: { "\(Double(Int.random(in: 0..<1_000_000, using: &$0)) / 1_000)" }
    case 3: { "\(Double(Int.random(in: 0..<100_000_000_000, using: &$0)) / 1_000)" }
    case 4: { "\(Double.random(in: -1...1, using: &$0) * pow(10, Double(Int.random(in: -20...20, using: &$0))))" }
    default: { ["\"nan\"", "\"inf\"", "\"-inf\"", "-0.0", "1e300", "5e-324", "0.1"].randomElement(using: &$0) ?? "0" }
    }
  }

  private mutating func singles() -> Maker {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: { _ in "1.5" }
    case 1: { "\(Float(Int.random(in: -500...500, using: &$0)) / 10)" }
    default: { "\(Float.random(in: -1...1, using: &$0))" }
    }
  }

  private mutating func dates() -> Maker {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: { _ in "\"2001-01-01T00:00:00Z\"" }
    case 1:
      { random in
        let parts = [1...12, 1...28, 0...23, 0...59, 0...59].map { Int.random(in: $0, using: &random) }
        let padded = parts.map { $0 < 10 ? "0\($0)" : "\($0)" }
        let year = Int.random(in: 1...9_999, using: &random)
        return "\"\(String(repeating: "0", count: 4 - "\(year)".count))\(year)-\(padded[0])-\(padded[1])T\(padded[2]):"
          + "\(padded[3]):\(padded[4]).\(Int.random(in: 100...999, using: &random))Z\""
      }
    default: { "\"20\(Int.random(in: 10...40, using: &$0))-06-15\"" }
    }
  }

  private mutating func uuids() -> Maker {
    let one = uuid(&random)
    let isSame = Bool.random(using: &random)
    return { random in "\"\(isSame ? one : uuid(&random))\"" }
  }

  private mutating func texts() -> Maker {
    let pieces = ["a", "b", " ", "é", "€", "𝄞", "\\n", "\\\"", "\\\\", "\\u2028", "\\u0085", "\\u007f", "\\u0000"]
    let any: Maker = { random in
      (0..<Int.random(in: 0..<30, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }
    let constant = any(&random)
    let make: Maker =
      switch Int.random(in: 0..<5, using: &random) {
      case 0: { _ in constant }
      case 1: { [constant, "x", "yy", ""].randomElement(using: &$0) ?? "" }
      case 2: { "w\(Int.random(in: 0..<1_000_000, using: &$0))" }
      case 3: any
      default: { String(repeating: "long ", count: [1, 10, 400, 3_000].randomElement(using: &$0) ?? 1) }
      }
    return { "\"\(make(&$0))\"" }
  }

  private mutating func datas() -> Maker {
    let lengths = [[0, 3], [3, 3], [40, 41], [0, 6_000]].randomElement(using: &random) ?? [0, 3]
    return { random in
      let bytes = (0..<Int.random(in: lengths[0]...lengths[1], using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      return "\"\(Data(bytes).base64EncodedString())\""
    }
  }

  private mutating func decimals() -> Maker {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: { _ in "\"7.25\"" }
    case 1: { "\"\(Int.random(in: -99...99, using: &$0)).\(Int.random(in: 0...9, using: &$0))\"" }
    default:
      { random in
        let number = Int.random(in: -1_000_000_000_000_000_000...1_000_000_000_000_000_000, using: &random)
        let large = "\(number)e\(Int.random(in: -60...60, using: &random))"
        return
          "\"\(["nan", "0", large, "12345678901234567890123456789012345678"].randomElement(using: &random) ?? "0")\""
      }
    }
  }

  private mutating func points() -> Maker {
    let (x, y) = (doubles(), optional(doubles()))
    return { "{\"x\":\(x(&$0)),\"y\":\(y(&$0))}" }
  }

  private mutating func structs() -> Maker {
    let item = texts()
    let count = optional(integers(.min ... .max))
    let (at, kind, note) = (optional(points()), optional(integers(-128...127)), optional(datas()))
    return { random in
      "{\"item\":\(item(&random)),\"count\":\(count(&random)),\"at\":\(at(&random)),\"kind\":\(kind(&random)),"
        + "\"note\":\(note(&random))}"
    }
  }

  // MARK: Around them

  private mutating func optional(_ make: @escaping Maker) -> Maker {
    let shares: [Double] = [0, 0.1, 0.5, 1]
    let share = shares.randomElement(using: &random) ?? 0
    return { Double.random(in: 0..<1, using: &$0) < share ? "null" : make(&$0) }
  }

  /// Empty, short, or so long that it is an overflow value.
  private mutating func list(_ make: @escaping Maker) -> Maker {
    let longest = [0, 3, 3, 30, 1_500].randomElement(using: &random) ?? 0
    return { random in
      let isLongest = Int.random(in: 0..<30, using: &random) == 0
      let count = isLongest ? longest : Int.random(in: 0...min(longest, 3), using: &random)
      return "[\((0..<count).map { _ in make(&random) }.joined(separator: ","))]"
    }
  }

  private mutating func dictionary(_ make: @escaping Maker) -> Maker {
    let longest = [0, 3, 30].randomElement(using: &random) ?? 0
    return { random in
      let count = Int.random(in: 0...longest, using: &random)
      return "{\((0..<count).map { "\"k\($0)\":\(make(&random))" }.joined(separator: ","))}"
    }
  }
}

private func uuid(_ random: inout SeededNumbers) -> String {
  func digits(_ count: Int) -> String {
    (0..<count).map { _ in String(Int.random(in: 0..<16, using: &random), radix: 16) }.joined()
  }
  return [8, 4, 4, 4, 12].map(digits).joined(separator: "-")
}
