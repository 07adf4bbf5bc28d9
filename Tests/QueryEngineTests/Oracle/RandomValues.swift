import Schema
import Values

/// Values that have given trouble somewhere: edges of types, texts of many scripts and lengths, and few enough of them
/// that equal ones meet.
enum RandomValues {
  static func value(_ type: ScalarType, _ random: inout OracleRandom) -> Value {
    switch type {
    case .bool: .bool(random.once(in: 2))
    case .int8: .int(Int64(random.pick([Int8.min, -1, 0, 1, 5, .max])))
    case .int16: .int(Int64(random.pick([Int16.min, -300, 0, 1, 5, .max])))
    case .int32: .int(Int64(random.pick([Int32.min, -70_000, 0, 2, 5, .max])))
    case .int: .int(integer(&random))
    case .float: .float(Float(double(&random)))
    case .double: .double(double(&random))
    case .decimal: .decimal(decimal(&random))
    case .string: .string(text(&random))
    case .date: .date(Instant(seconds: seconds(&random)))
    case .uuid: .uuid(UUIDBytes(high: random.pick([0, 1, .max, 1 << 63]), low: random.pick([0, 7, .max])))
    case .data:
      .data(
        random.pick([[], [0], [0, 255], [255], [1, 2, 3], [0xC3, 0xA9, 42, 63, 92], Array(repeating: 7, count: 600)]))
    }
  }

  static func integer(_ random: inout OracleRandom) -> Int64 {
    if random.once(in: 2) { return Int64(random.below(20)) - 5 }
    return random.pick(integers)
  }

  private static let integers: [Int64] = [
    Int64.min, -9_223_372_036_854_775_807, -1, 0, 1, 63, 64, 9_223_372_036_854_775_806, Int64.max,
    9_007_199_254_740_992, 9_007_199_254_740_993, -9_007_199_254_740_993, 16_777_216, 16_777_217, 255, 256, 65_536,
    2_147_483_648, 4_294_967_296,
  ]

  static func double(_ random: inout OracleRandom) -> Double {
    if random.once(in: 2) { return Double(random.below(40)) / 4 - 2 }
    return random.pick(doubles)
  }

  private static let doubles: [Double] = [
    0, -0.0, .nan, .infinity, -.infinity, 0.1, 6.4, 70.15, 1e300, -1e300, .leastNonzeroMagnitude, 0x1p53,
    0x1.0000000000001p53, 0x1p63,
    -0x1p63, 0x1p64, 16_777_217, 0.5, 1.5, -2.5,
  ]

  /// Few digits, as prices have, and the edges: what no Double is, the greatest, the least, and NaN.
  static func decimal(_ random: inout OracleRandom) -> DecimalValue {
    if random.once(in: 2) { return DecimalValue("\(random.below(40) - 10)e-\(random.below(3))") ?? .zero }
    return DecimalValue(random.pick(decimals)) ?? .nan
  }

  private static let decimals = [
    "0", "1", "-1", "0.1", "0.3", "6.4", "70.15", "0.25", "1.5", "-2.5", "19.99", "1e-128", "-1e-128", "nan",
    "340282366920938463463374607431768211455e127", "-340282366920938463463374607431768211455e127",
    "9007199254740993", "9007199254740992.5", "9223372036854775807", "9223372036854775808", "1e19", "1e30",
    "12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678", "1e165", "5",
  ]

  /// A number that is kept as a whole one over a power of ten, nearly always; nil of other types.
  static func decimal(_ type: ScalarType, _ random: inout OracleRandom) -> Value? {
    let span = random.pick([10, 100, 1000, 100_000])
    let number = Double(random.below(span) - span / 3) / random.pick([1, 10, 10, 100])
    let isOdd = random.once(in: 300)
    switch type {
    case .double: return .double(isOdd ? double(&random) : number)
    case .float: return .float(isOdd ? Float(double(&random)) : Float(number))
    case .date: return .date(Instant(seconds: isOdd ? seconds(&random) : number * random.pick([1, 100_000]) / 1000))
    case .decimal: return .decimal(isOdd ? decimal(&random) : DecimalValue(shortest: number) ?? .zero)
    default: return nil
    }
  }

  static func seconds(_ random: inout OracleRandom) -> Double {
    if random.once(in: 2) { return Double(random.below(400) - 200) * 86_400 * 37.5 }
    return random.pick([
      0, -0.0, -0.5, 0.25, -978_307_200, 592_299_475.57712, -63_114_076_800, 64_092_211_200, 1e9, .nan, 86_399.999,
    ])
  }

  /// Longitude and latitude: the poles, the antimeridian, anywhere.
  static func place(_ random: inout OracleRandom) -> (Double, Double) {
    let longitude = random.pick([-180.0, -179.5, -90, -0.0, 0, 13.4, 90, 179.5, 180])
    let latitude = random.pick([-90.0, -89.5, -45, 0, 52.5, 60, 89.5, 90])
    return (
      random.once(in: 2) ? longitude : Double(random.below(360_000)) / 1000 - 180,
      random.once(in: 2) ? latitude : Double(random.below(180_000)) / 1000 - 90
    )
  }

  /// The keys of dictionaries.
  static let keys = ["a", "b", "A", "", "é", "e\u{301}", "count", "한", "a.b", "with \"quotes\""]

  /// A collection as it is kept: nothing, one, some, many elements.
  static func collection(_ kind: CollectionKind, _ type: ScalarType, _ random: inout OracleRandom) -> Value {
    var count = random.pick([0, 0, 1, 1, 2, 2, 3, 3, 5, 8])
    if random.once(in: 200) { count = 300 + random.below(400) }
    if kind == .dictionary {
      let fields = keys.prefix(count).filter { _ in !random.once(in: 3) }.map {
        EmbeddedField(name: $0, value: value(type, &random))
      }
      return .embedded(fields.sorted { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) })
    }
    let elements = (0..<count).map { _ in value(type, &random) }
    return .list(kind == .array ? elements : ascending(elements))
  }

  /// The elements of a set: each once, NaN last, and no zero is negative.
  static func ascending(_ values: [Value]) -> [Value] {
    var kept: [Value] = []
    for value in values where !kept.contains(where: { OracleValues.same($0, value) }) { kept.append(value) }
    let isNumber = kept.map { OracleValues.order($0, $0) != nil }
    let ordered = zip(kept, isNumber).filter(\.1).map(\.0).sorted(by: OracleValues.sortsBefore)
    return (ordered + zip(kept, isNumber).filter { !$0.1 }.map(\.0)).map { value in
      switch value {
      case .double(let number) where number == 0: .double(0)
      case .float(let number) where number == 0: .float(0)
      case .date(let date) where date.seconds == 0: .date(Instant(seconds: 0))
      default: value
      }
    }
  }

  static let pieces = [
    "a", "b", "A", "B", "ab", "é", "e\u{301}", "E\u{301}", "ß", "ss", "SS", "ẞ", "İ", "i", "ı", "I", "ς", "σ", "Σ", "Я",
    "я",
    "ﬁ", "ŉ", "😀", "👩‍👩‍👧", "\u{1F1E9}\u{1F1EA}", "한", "\u{1112}\u{1161}\u{11AB}", "*", "?", "\\", "%", "_", " ", "\n",
    "\"", "'", "ſ",
    "\u{212A}", "k", "Å", "\u{212B}", "\u{0}", "ǆ", "ǅ", "Ω", "\u{2126}", "ñ", "ü", "Ü", "ﬀ", "-",
  ]

  static func text(_ random: inout OracleRandom) -> String {
    switch random.below(24) {
    case 0: return ""
    case 1: return String(repeating: "ab", count: 260) + random.pick(["", "a", "x", "é"])
    case 2 where random.once(in: 3): return String(repeating: "xÅ", count: 800) + random.pick(["", "a", "ß"])
    case 3...10:
      return random.pick(["a", "b", "ab", "abc", "Alaska", "alaska", "ALASKA", "10km N of Adak, Alaska", "Straße"])
    default: return short(&random, 1 + random.below(5))
    }
  }

  /// A few letters out of the middle of such a text.
  static func run(_ random: inout OracleRandom) -> String {
    let scalars = Array(text(&random).unicodeScalars)
    let start = scalars.isEmpty ? 0 : random.below(scalars.count)
    var run = String.UnicodeScalarView()
    run.append(contentsOf: scalars.dropFirst(start).prefix(2 + random.below(6)))
    return String(run)
  }

  static func short(_ random: inout OracleRandom, _ count: Int) -> String {
    var text = ""
    for _ in 0..<count { text.unicodeScalars.append(contentsOf: random.pick(pieces).unicodeScalars) }
    return text
  }
}
