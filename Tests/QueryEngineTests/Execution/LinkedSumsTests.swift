import Schema
import Testing
import Values

@testable import QueryEngine
@testable import Storage

/// Aggregates over links, where objects link to what was made with them and where they do not, of numbers of every
/// width.
@Suite struct LinkedSumsTests {
  private static let schema = Schema(entities: [
    Entity(name: "Task", properties: [Property(name: "value", type: .scalar(.int), isOptional: true)]),
    Entity(name: "Project", properties: [Property(name: "tasks", type: .list("Task"))]),
  ])

  /// What the tasks' numbers are like.
  enum Kind: CaseIterable {
    /// As small as a byte with a sign holds, or just not.
    case bytes, moreThanBytes
    /// None of them nil.
    case full
    /// Wider from cluster to cluster.
    case widening
    case words, negative
    /// So great that two of them are too many to add.
    case extreme
    /// Far from 0, and close to each other.
    case high

    func value(_ place: Int, _ random: inout OracleRandom) -> Int64? {
      if self != .full, Int.random(in: 0..<50, using: &random) == 0 { return nil }
      switch self {
      case .full: return .random(in: 0...10, using: &random)
      case .bytes: return .random(in: -128...127, using: &random)
      case .moreThanBytes: return .random(in: 0...255, using: &random)
      case .widening:
        let most = Int64(1) << Int64(min(62, 6 * (place / 256)))
        return .random(in: -most...most, using: &random)
      case .words: return .random(in: -40_000...40_000, using: &random)
      case .negative: return .random(in: -3_000_000_000 ... -2_999_999_000, using: &random)
      case .extreme: return Bool.random(using: &random) ? .max : .random(in: .min ... .min + 3, using: &random)
      case .high: return .max - .random(in: 0...200, using: &random)
      }
    }
  }

  /// Every project's tasks are made right before it, but for those of some that link anywhere; one has many.
  private func store(_ kind: Kind, areMixed: Bool, gap: Int = 0) throws -> (StoreFile, [Int64?], [[Int]]) {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    var random = OracleRandom(seed: 11)
    var values: [Int64?] = []
    var projects: [[Int]] = []
    try file.write { session in
      let task = try #require(session.schema.entity(named: "Task"))
      let project = try #require(session.schema.entity(named: "Project"))
      if gap > 0 { try session.writer(of: task).skipNumbers(before: UInt64(gap)) }
      for number in 0..<700 {
        let count = number == 300 ? 1_500 : number % 40 == 3 ? 70 : Int.random(in: 0...12, using: &random)
        var own: [Int] = []
        for _ in 0..<count {
          let value = kind.value(values.count, &random)
          own.append(values.count)
          values.append(value)
          _ = try session.insert([value.map { .int($0) } ?? .null], into: task)
        }
        if areMixed, number % 3 == 0, !values.isEmpty {
          own = (0..<count).map { _ in .random(in: values.indices, using: &random) }
        }
        projects.append(own)
        _ = try session.insert([.list(own.map { .int(Int64($0 + max(gap, 1))) })], into: project)
      }
    }
    return (file, values, projects)
  }

  /// The projects of which something holds for the values of their tasks that are not nil.
  private func expected(_ values: [Int64?], _ projects: [[Int]], _ holds: ([Int64]) -> Bool) -> [Int] {
    projects.indices.filter { holds(projects[$0].compactMap { values[$0] }) }.map { $0 + 1 }
  }

  @Test(arguments: Kind.allCases, [false, true]) func everyWidthAddsUp(kind: Kind, areMixed: Bool) throws {
    for gap in [0, 5_000_000_000] {
      let (file, values, projects) = try store(kind, areMixed: areMixed, gap: gap)
      func total(_ values: [Int64]) -> Int128 { values.reduce(0) { $0 + Int128($1) } }
      func average(_ values: [Int64]) -> Double {
        let sum = total(values)
        return (Int64(exactly: sum).map { Double($0) } ?? Double(sum)) / Double(values.count)
      }
      // Without rounding the whole number.
      func isGreater(_ real: Double, _ whole: Int64) -> Bool {
        real == Double(whole) ? Int128(real) > Int128(whole) : real > Double(whole)
      }
      let middle = values.compactMap { $0 }.sorted()[values.count / 2]
      let questions: [(String, ([Int64]) -> Bool)] = [
        ("tasks.@avg.value > \(middle)", { !$0.isEmpty && isGreater(average($0), middle) }),
        ("tasks.@sum.value > \(middle)", { Int64(exactly: total($0)).map { $0 > middle } ?? false }),
        ("tasks.@sum.value == nil", { Int64(exactly: total($0)) == nil }),
        ("tasks.@min.value < \(middle)", { $0.min().map { $0 < middle } ?? false }),
        ("tasks.@max.value > \(middle)", { $0.max().map { $0 > middle } ?? false }),
        ("ANY tasks.value > \(middle)", { $0.contains { $0 > middle } }),
        ("ALL tasks.value != \(middle)", { !$0.contains(middle) }),
        ("SUBQUERY(tasks, $t, $t.value >= \(middle)).@count > 4", { $0.count { $0 >= middle } > 4 }),
        (
          "SUBQUERY(tasks, $t, $t.value >= \(middle)).@sum.value == nil",
          {
            Int64(exactly: total($0.filter { $0 >= middle })) == nil
          }
        ),
      ]
      for (text, holds) in questions {
        let wanted = expected(values, projects, holds)
        let query = try Works.compile("Project", text, in: file)
        // The first time clusters are walked, later there is a table of them.
        for round in 0..<3 {
          let snapshot = try file.beginSnapshot()
          for links in LinkAccess.allCases where links == .sets || round == 0 && gap == 0 {
            let plan = try query.plan(in: snapshot, options: PlannerOptions(access: .scanOnly, links: links))
            let found = try plan.objects(in: snapshot).map { Int($0.rawValue) }
            #expect(found == wanted, "\(text), \(links), round \(round), gap \(gap)")
          }
        }
      }
    }
  }

  // MARK: Parts

  @Test func fewBitsAreReadAtOnce() {
    let count = 8
    let words = BitWords.zeros(count)
    defer { words.deallocate() }
    var random = OracleRandom(seed: 3)
    for word in 0..<count { words[word] = .random(in: 0 ... .max, using: &random) }
    let bits = BitWords(words: words, limit: UInt64(count * 64))
    for first in stride(from: 0, to: 530, by: 7) {
      for length in [0, 1, 5, 56, 57, 58, 63, 64, 65, 200, 600] {
        let wanted = (first..<first + length).count { bits.contains(UInt64($0)) }
        #expect(bits.count(of: length, from: UInt64(first)) == wanted, "\(first), \(length)")
        #expect(bits.hasSome(of: length, from: UInt64(first)) == (wanted > 0), "\(first), \(length)")
      }
    }
    #expect(bits.count(of: 5, from: .max - 2) == 0)
  }

  @Test func numbersKeepTheirPlacesWhenTheyBecomeWider() {
    var numbers = PackedIntegers(count: 1024)
    defer { numbers.deallocate() }
    let all: [Int64] = [-128, 127, 128, -32_768, 40_000, .init(Int32.min), .init(Int32.max) + 1, .min, .max]
    for (place, number) in all.enumerated() {
      numbers.put(number, at: place * 100)
      for earlier in 0...place { #expect(numbers[earlier * 100] == all[earlier]) }
    }
    #expect(numbers.width == .bits64)
    #expect(numbers[1] == 0 && numbers[1023] == 0)
  }

  @Test(arguments: [.min, -70_000, -1, 0, 1, 127, 1 << 40, .max - 199] as [Int64])
  func integersOfAClusterAreStored(least: Int64) {
    var numbers = PackedIntegers(count: 512)
    defer { numbers.deallocate() }
    let mask = Mask(firstCount: 200).andNot(Mask(slot: 7))
    var integers = (0..<256).map { $0 < 200 ? least + Int64($0) : 99 }
    _ = integers.withUnsafeMutableBufferPointer { numbers.put($0.baseAddress.unsafelyUnwrapped, mask, at: 256) }
    for slot in 0..<256 {
      #expect(numbers[256 + slot] == (slot < 200 && slot != 7 ? least + Int64(slot) : 0))
      #expect(numbers[slot] == 0)
    }
  }
}
