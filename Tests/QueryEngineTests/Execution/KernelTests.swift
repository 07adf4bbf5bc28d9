import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// Every operator over every type and encoding, against `Comparison`, the one place that says what they mean.
@Suite struct KernelTests {
  /// A column's values, made so that a cluster takes a certain encoding, and constants worth comparing with.
  struct Column: Sendable, CustomTestStringConvertible {
    let name: String
    let type: ScalarType
    let values: [Value]
    let constants: [Value]
    var testDescription: String { name }
  }

  static let columns: [Column] = {
    func whole(_ name: String, _ base: Int64, _ span: Int64) -> Column {
      let values: [Value] = (0..<600).map { n in n % 9 == 0 ? .null : .int(base &+ Int64(n) &* 7919 % span) }
      let edges: [Int64] = [
        base, base &+ 1, base &+ span / 2, base &+ span &- 1, base &+ span, base &- 1, .min, .max, 0,
      ]
      let doubles: [Double] = [0.5, -0.5, Double(base) + 0.5, 1e300, -1e300, .infinity, -.infinity, .nan, Double(base)]
      return Column(
        name: name, type: .int, values: values, constants: edges.map(Value.int) + doubles.map(Value.double) + [.null])
    }
    let doubles: [Double] = [
      0, -0.0, 1, -1, 1.5, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0x1p53,
      0x1p53 + 2, -0x1p53, 0x1p63, 1e15, 0.1,
    ]
    let ints: [Int64] = [0, 1, -1, 1 << 53, (1 << 53) + 1, (1 << 53) + 2, -(1 << 53) - 1, .max, .min, 2]
    let texts = [
      "", "a", "A", "ab", "Ab", "ß", "SS", "é", "e\u{301}", "É", "日本", "k", "\u{212A}", "zebra", "Alaska", "\u{0}x",
    ]
    func repeated(_ values: [Value], _ count: Int) -> [Value] {
      (0..<count).map { $0 % 11 == 0 ? .null : values[($0 * 7) % values.count] }
    }
    /// Decimals with what is next to them.
    func around(_ numbers: [Double]) -> [Double] {
      numbers.flatMap { [$0, $0.nextUp, $0.nextDown, -$0] } + [.infinity, -.infinity, .nan, 1e300, -1e300, 0, -0.0]
    }
    let tenths = (0..<600).map { Double($0 * 7919 % 250 - 20) / 10 }
    let hundredths = (0..<600).map { Double($0 * 7919 % 60_000 - 300) / 100 }
    let millis = (0..<600).map { Double($0) * 86_400.123 + 5e8 }.map { ($0 * 1000).rounded() / 1000 }
    let wide = (0..<600).map { Double($0 * 1_234_567_891) / 1000 }
    let uuids: [Value] = [
      .uuid(UUIDBytes(high: 0, low: 0)), .uuid(UUIDBytes(high: 0, low: 1)), .uuid(UUIDBytes(high: .max, low: 5)),
    ]
    let datas: [Value] = [.data([]), .data([0]), .data([0xFF]), .data([0xFF, 0]), .data([1, 2, 3])]
    let unique = (0..<600).map { n -> Value in .string(texts[n % texts.count] + "\(n)" + (n % 3 == 0 ? "ALASKA" : "é"))
    }
    let plain = (0..<600).map { n -> Value in
      n % 8 == 0 ? .null : .string("\(n)km of " + (n % 3 == 0 ? "Alaska" : "aLASKa!"))
    }
    return [
      whole("8 bits", -100, 200), whole("16 bits", 1_000_000, 40_000), whole("32 bits", -5, 3_000_000_000),
      whole("64 bits", .min, .max), whole("the same", 5, 1),
      Column(
        name: "small", type: .int8, values: repeated((-3...3).map { .int($0) }, 300),
        constants: ints.map(Value.int) + [.double(1.5)]),
      Column(
        name: "nasty ints", type: .int, values: repeated(ints.map(Value.int), 600),
        constants: ints.map(Value.int) + doubles.map(Value.double) + [.null]),
      Column(
        name: "doubles", type: .double, values: repeated(doubles.map(Value.double), 600),
        constants: ints.map(Value.int) + doubles.map(Value.double) + [.null]),
      Column(
        name: "same double", type: .double, values: repeated([.double(-0.0)], 300), constants: doubles.map(Value.double)
      ),
      Column(
        name: "floats", type: .float, values: repeated(doubles.map { .float(Float($0)) }, 600),
        constants: doubles.map { .double($0) } + ints.map(Value.int)),
      Column(
        name: "tenths", type: .double, values: repeated(tenths.map(Value.double), 600),
        constants: around([0.1, 6.4, 22.9, -2, 23]).map(Value.double) + [.int(6), .null]),
      Column(
        name: "hundredths", type: .double, values: repeated(hundredths.map(Value.double), 600),
        constants: around([70.15, 0.29, 1.15, -3, 596.99]).map(Value.double) + [.int(70)]),
      Column(
        name: "float tenths", type: .float, values: repeated(tenths.map { .float(Float($0)) }, 600),
        constants: around([0.1, 6.4, 22.9, -2, 23]).map(Value.double) + [.int(6)]),
      Column(
        name: "milliseconds", type: .date, values: repeated(millis.map { .date(Instant(seconds: $0)) }, 600),
        constants: around([millis[0], millis[7], millis[350]]).map { .date(Instant(seconds: $0)) }),
      Column(
        name: "40 bits", type: .date, values: repeated(wide.map { .date(Instant(seconds: $0)) }, 600),
        constants: around([wide[0], wide[7], wide[349], wide[350], 1e6]).map { .date(Instant(seconds: $0)) }),
      Column(
        name: "bools", type: .bool, values: repeated([.bool(true), .bool(false), .bool(true)], 600),
        constants: [.bool(true), .bool(false), .null]),
      Column(
        name: "dates", type: .date, values: repeated(doubles.map { .date(Instant(seconds: $0)) }, 600),
        constants: doubles.map { .date(Instant(seconds: $0)) } + [.null]),
      Column(name: "uuids", type: .uuid, values: repeated(uuids, 300), constants: uuids + [.null]),
      Column(name: "data", type: .data, values: repeated(datas, 300), constants: datas + [.null]),
      Column(
        name: "dictionary", type: .string, values: repeated(texts.map(Value.string), 600),
        constants: texts.map(Value.string) + [.null]),
      Column(
        name: "texts", type: .string, values: unique,
        constants: texts.map(Value.string) + [.string("ALASKA"), .string("alaska")]),
      Column(
        name: "ascii texts", type: .string, values: plain,
        constants: ["Alaska", "alaska", "", "1", "ß", "km of a", "!", "k"].map(Value.string)),
      Column(
        name: "long texts", type: .string,
        values: (0..<40).map { .string(String(repeating: "xy", count: 200 * $0) + ($0 % 2 == 0 ? "Alaska" : "")) },
        constants: [.string("Alaska"), .string("xyxy"), .string(String(repeating: "xy", count: 2000))]),
    ]
  }()

  static let comparators: [Comparator] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]

  @Test(arguments: columns)
  func operatorsAgreeWithTheirDefinition(_ column: Column) throws {
    let store = try TestStore(column.type, column.values)
    for constant in column.constants {
      // A literal compared with a Float property is rounded first.
      let compared: Value =
        column.type != .float || constant.isNull
        ? constant
        : .float({ if case .int(let n) = constant { Float(n) } else { Float(Arithmetic.number(constant) ?? 0) } }())
      for comparator in Self.comparators {
        let expected = column.values.indices.filter {
          Comparison.holds(comparator, column.values[$0], compared, folding: .none)
        }
        let found = try store.rows("x \(comparator.rawValue) %@", [constant])
        #expect(found == expected, "x \(comparator.rawValue) \(constant)")
        let opposite = try store.rows("NOT x \(comparator.rawValue) %@", [constant])
        #expect(
          opposite == column.values.indices.filter { !expected.contains($0) },
          "NOT x \(comparator.rawValue) \(constant)")
      }
    }
    let list = column.constants
    let expected = column.values.indices.filter { row in
      list.contains { constant in
        let compared: Value =
          column.type != .float || constant.isNull
          ? constant
          : .float({ if case .int(let n) = constant { Float(n) } else { Float(Arithmetic.number(constant) ?? 0) } }())
        return Comparison.holds(.equal, column.values[row], compared, folding: .none)
      }
    }
    #expect(try store.rows("x IN %@", [.list(list)]) == expected)
    #expect(try store.rows("x == nil") == column.values.indices.filter { column.values[$0].isNull })
  }

  static let textual = columns.filter { $0.type == .string }

  @Test(arguments: textual, ["", "[c]", "[d]", "[cd]"])
  func textOperatorsAgreeWithTheirDefinition(_ column: Column, _ options: String) throws {
    let store = try TestStore(.string, column.values)
    let folding = TextFolding(ignoresCase: options.contains("c"), ignoresDiacritics: options.contains("d"))
    for constant in column.constants {
      for comparator in Self.comparators + [.contains, .beginsWith, .endsWith, .like] {
        let expected = column.values.indices.filter {
          Comparison.holds(comparator, column.values[$0], constant, folding: folding)
        }
        let found = try store.rows("x \(comparator.rawValue)\(options) %@", [constant])
        #expect(found == expected, "x \(comparator.rawValue)\(options) \(constant)")
        // The same asked of few candidates, which takes another way.
        let few = try store.rows("n < 5 AND x \(comparator.rawValue)\(options) %@", [constant])
        #expect(few == expected.filter { $0 < 5 })
      }
    }
  }

  /// With nil among the values, every comparison between two columns, a cluster at a time and row by row.
  @Test func columnsAgainstColumns() throws {
    let doubles: [Value] = [.null, .double(1), .double(.nan), .double(0x1p53), .double(0x1p53 + 2), .double(-0.0)]
    let ints: [Value] = [.null, .int(1), .int((1 << 53) + 1), .int(1 << 53), .int(0), .int(.max)]
    let schema = Schema(entities: [
      Entity(
        name: "Pair",
        properties: [
          Property(name: "a", type: .scalar(.double), isOptional: true),
          Property(name: "b", type: .scalar(.int), isOptional: true),
        ])
    ])
    let rows = doubles.flatMap { a in ints.map { [a, $0] } }
    let store = try TestStore(schema, rows: rows)
    for comparator in Self.comparators {
      let expected = rows.indices.filter { Comparison.holds(comparator, rows[$0][0], rows[$0][1], folding: .none) }
      #expect(try store.rows("a \(comparator.rawValue) b") == expected)
      let sum = rows.indices.filter {
        let sum = Arithmetic.apply(.add, rows[$0][1], .int(1))
        return Comparison.holds(comparator, sum, rows[$0][1], folding: .none)
      }
      #expect(try store.rows("b + 1 \(comparator.rawValue) b") == sum)
    }
  }

  @Test func arithmeticOfClustersAgreesWithThatOfRows() throws {
    let values: [Int64] = [0, 1, -1, 2, 7, 63, 64, .max, .min, 3_037_000_500]
    let schema = Schema(entities: [
      Entity(
        name: "Pair",
        properties: [Property(name: "a", type: .scalar(.int)), Property(name: "b", type: .scalar(.int))])
    ])
    let rows = values.flatMap { a in values.map { [Value.int(a), .int($0)] } }
    let store = try TestStore(schema, rows: rows)
    for operation in BinaryOperator.allCases {
      let expected = rows.indices.filter { Arithmetic.apply(operation, rows[$0][0], rows[$0][1]).isNull }
      #expect(try store.rows("a \(operation.rawValue) b == nil") == expected, "\(operation)")
      let positive = rows.indices.filter {
        Comparison.holds(.greater, Arithmetic.apply(operation, rows[$0][0], rows[$0][1]), .int(2), folding: .none)
      }
      #expect(try store.rows("(a \(operation.rawValue) b) > 2") == positive, "\(operation)")
    }
    #expect(
      try store.rows("modulus:by:(a, b) < 0").allSatisfy { row in
        if case .int(let a) = rows[row][0] { a < 0 } else { false }
      })
    #expect(try store.rows("abs(a) == nil").count == values.count)
    #expect(try store.rows("-a == nil").count == values.count)
  }
}
