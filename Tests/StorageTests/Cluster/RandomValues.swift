import Schema
import Values

/// Random values of every type, of the shapes that the encodings care about.
struct RandomValues {
  var generator: SeededGenerator

  /// How the values of a column are spread.
  enum Shape: CaseIterable {
    case same, few, narrow, wide, any
  }

  /// A value of the type, never nil.
  mutating func value(_ type: ScalarType, _ shape: Shape) -> Value {
    let spread: Int64 =
      switch shape {
      case .same: 0
      case .few: 3
      case .narrow: 200
      case .wide: 50_000
      case .any: .max
      }
    let pick =
      spread == .max
      ? Int64.random(in: .min ... .max, using: &generator)
      : Int64.random(in: 0...spread, using: &generator)
    switch type {
    case .bool: return .bool(pick & 1 == 1)
    case .int8: return .int(Int64(Int8(truncatingIfNeeded: pick)))
    case .int16: return .int(Int64(Int16(truncatingIfNeeded: pick)))
    case .int32: return .int(Int64(Int32(truncatingIfNeeded: pick)))
    case .int: return .int(shape == .any ? pick : pick - 100)
    case .float: return .float(shape == .any ? Float(bitPattern: UInt32(truncatingIfNeeded: pick)) : Float(pick) / 10)
    case .double: return .double(shape == .any ? special(pick) : Double(pick) / 10)
    // Milliseconds, days apart: decimals of every width.
    case .date: return .date(Instant(seconds: shape == .any ? special(pick) : Double(pick &* 1_234_567) / 1000))
    case .uuid:
      return .uuid(UUIDBytes(high: UInt64(bitPattern: pick), low: UInt64(bitPattern: pick) &* 0x9E37_79B9_7F4A_7C15))
    case .decimal:
      if shape == .any, pick % 7 == 0 { return .decimal(.nan) }
      let magnitude = UInt128(pick.magnitude) << UInt128(shape == .any ? pick.magnitude % 60 : 0)
      return .decimal(
        DecimalValue(isNegative: pick % 3 == 0, magnitude: magnitude, exponent: shape == .any ? Int(pick % 80) : -2)
          ?? .zero)
    case .string: return .string(text(pick, shape))
    case .data: return .data(bytes(pick, shape))
    }
  }

  /// A value of a column of that kind, never nil.
  mutating func value(_ kind: Column.Kind, _ shape: Shape, large: Bool = false) -> Value {
    switch kind {
    case .scalar(let type): return value(type, shape)
    case .presence: return .bool(true)
    case .collection(let kind, let type): return collection(kind, type, shape, large: large)
    case .link: return value(.int, shape)
    case .links: return collection(.array, .int, shape, large: large)
    case .structs: return .int(0)
    case .parts(let type, let isOptional): return parts(type, isOptional, shape, large: large)
    case .presences: return parts(.bool, true, shape, large: large)
    }
  }

  /// A collection as it is kept, empty or small, now and then large.
  mutating func collection(_ kind: CollectionKind, _ type: ScalarType, _ shape: Shape, large: Bool = false) -> Value {
    let most = [0, 1, 4, 12].randomElement(using: &generator) ?? 4
    let count = large ? Int.random(in: 0...1200, using: &generator) : Int.random(in: 0...most, using: &generator)
    let elements = (0..<count).map { _ in value(type, shape) }
    guard kind == .dictionary else { return kind.canonical(.list(elements)) }
    return kind.canonical(
      .embedded(
        elements.map { EmbeddedField(name: text(Int64.random(in: 0...5000, using: &generator), .narrow), value: $0) }))
  }

  /// A leaf of the structs of a list, some nil where that is allowed.
  private mutating func parts(_ type: ScalarType, _ isOptional: Bool, _ shape: Shape, large: Bool) -> Value {
    guard case .list(let elements) = collection(.array, type, shape, large: large) else { return .list([]) }
    let rarity = Int.random(in: 1...6, using: &generator)
    return .list(elements.map { isOptional && Int.random(in: 0..<rarity, using: &generator) == 0 ? .null : $0 })
  }

  private mutating func special(_ bits: Int64) -> Double {
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: .nan
    case 1: -.infinity
    case 2: .infinity
    case 3: -0.0
    case 4: 0.0
    case 5: .leastNonzeroMagnitude
    default: Double(bitPattern: UInt64(bitPattern: bits))
    }
  }

  private mutating func text(_ pick: Int64, _ shape: Shape) -> String {
    switch shape {
    case .same: "the one"
    case .few: ["", "earthquake", "взрыв", "ice quake"][Int(pick) & 3]
    case .narrow: "text \(pick)"
    case .wide: "12km NE of Tōkyō \(pick)\u{0}\u{7F}"
    case .any: String(repeating: "é🌍a", count: Int(pick & 31)) + "\(pick)"
    }
  }

  private mutating func bytes(_ pick: Int64, _ shape: Shape) -> [UInt8] {
    switch shape {
    case .same: [0xFF, 0x00]
    case .few: [[], [0xFF], [0x80, 0xFF, 0xFF], [0]][Int(pick) & 3]
    default:
      (0..<Int.random(in: 0...40, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
  }
}

extension Value {
  /// Whether both are the same value kept the same way, bit for bit, but that any NaN is any other.
  func isSame(as other: Value) -> Bool {
    switch (self, other) {
    case (.double(let a), .double(let b)): a.isNaN ? b.isNaN : a.bitPattern == b.bitPattern
    case (.float(let a), .float(let b)): a.isNaN ? b.isNaN : a.bitPattern == b.bitPattern
    case (.date(let a), .date(let b)):
      a.seconds.isNaN ? b.seconds.isNaN : a.seconds.bitPattern == b.seconds.bitPattern
    case (.decimal(let a), .decimal(let b)): a.isNaN ? b.isNaN : a == b
    case (.list(let a), .list(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1) }
    case (.embedded(let a), .embedded(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.name == $1.name && $0.value.isSame(as: $1.value) }
    default: self == other
    }
  }
}
