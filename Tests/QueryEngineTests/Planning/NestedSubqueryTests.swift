import PredicateLanguage
import Schema
import Storage
import Synchronization
import Testing
import Values

@testable import QueryEngine

/// SUBQUERYs in each other, each over the objects of the one around it, in a graph in which ways lead back to where they
/// came from: there are more ways than can be walked, but few objects.
@Suite struct NestedSubqueryTests {
  /// Every node leads to three others: its double, the one after that, and itself.
  struct Ring {
    static let count = 14
    let file: StoreFile

    init() throws {
      let node = Entity(
        name: "Node",
        properties: [
          Property(name: "weight", type: .scalar(.int)), Property(name: "next", type: .list("Node")),
          Property(name: "other", type: .link("Node"), isOptional: true),
        ])
      file = try StoreFile.inMemory(declaring: Schema(entities: [node]))
      try file.write { session in
        guard let entity = session.schema.entity(named: "Node") else { return }
        for number in 1...Self.count {
          let next = Self.next(number).map { Value.int(Int64($0)) }
          _ = try session.insert([.int(Self.weight(number)), .list(next), .int(Int64(next.count))], into: entity)
        }
      }
    }

    static func next(_ number: Int) -> [Int] { [number * 2 % count + 1, (number * 2 + 1) % count + 1, number] }

    static func weight(_ number: Int) -> Int64 { Int64(number * 5 % count) }

    func compile(_ text: String) throws -> CompiledQuery {
      var description = QueryDescription(entity: "Node")
      try description.append(try PredicateParser.filter(text), SourceContext(source: text))
      return try CompiledQuery(description, schema: try file.beginSnapshot().schema)
    }

    /// What it finds, and how much work planning and running are.
    func ask(_ text: String, _ links: LinkAccess) throws -> (found: [Int], steps: Int?) {
      let snapshot = try file.beginSnapshot()
      let query = try compile(text)
      var found: [Int] = []
      let steps = try StepCounter.count {
        let plan = try query.plan(in: snapshot, options: PlannerOptions(links: links))
        found = try plan.objects(in: snapshot).map { Int($0.rawValue) }
      }
      return (found, steps)
    }
  }

  /// A chain of SUBQUERYs.
  struct Chain: Sendable, CustomTestStringConvertible {
    /// One of them: `PATH` is where it begins, `$x` its variable, `$y` the one around it, `INNER` the next.
    let link: String
    /// What is asked at the end.
    let last: String
    /// What a link asks of an element besides, by the numbers of the element, the one around and the row's object.
    var keeps: @Sendable (Int, Int, Int) -> Bool = { _, _, _ in true }
    /// What is asked at the end, in the same way.
    var ends: @Sendable (Int, Int, Int) -> Bool = { element, _, _ in Ring.weight(element) > 11 }

    var testDescription: String { "\(link), \(last)" }

    init(_ link: String, _ last: String = "$x.weight > 11") { (self.link, self.last) = (link, last) }

    func text(_ depth: Int) -> String {
      func named(_ text: String, _ level: Int) -> String {
        text.replacing("$x", with: "$x\(level)").replacing("$y", with: level == 0 ? "SELF" : "$x\(level - 1)")
          .replacing("PATH", with: level == 0 ? "next" : "$x\(level - 1).next")
      }
      return (0..<depth).reversed().reduce(named(last, depth - 1)) { named(link, $1).replacing("INNER", with: $0) }
    }

    /// The nodes that it finds.
    func found(_ depth: Int) -> [Int] {
      (1...Ring.count).filter { root in
        // Of those around at the last level, then at the one before, and so on.
        var holding: Set<Int> = []
        for level in (0..<depth).reversed() {
          holding = Set(
            (1...Ring.count).filter { around in
              Ring.next(around).contains {
                keeps($0, around, root) && (level == depth - 1 ? ends($0, around, root) : holding.contains($0))
              }
            })
        }
        return holding.contains(root)
      }
    }
  }

  private static let alone = [
    "SUBQUERY(PATH, $x, INNER).@count > 0", "SUBQUERY(PATH, $x, INNER).@count IN {1, 2, 3}",
    "ANY SUBQUERY(PATH, $x, INNER).weight > -1", "NOT ALL SUBQUERY(PATH, $x, INNER).weight < 0",
    "median(SUBQUERY(PATH, $x, INNER).weight) > -1", "TERNARY(SUBQUERY(PATH, $x, INNER).@count > 0, 1, 0) == 1",
    "SUBQUERY(PATH, $x, INNER AND $x.other != nil).@count > 0", "ANY SUBQUERY(PATH, $x, INNER).next.weight > -1",
  ].map { Chain($0) }

  private static let correlated: [Chain] = {
    var last = Chain("SUBQUERY(PATH, $x, INNER).@count > 0", "$x.weight > $y.weight")
    last.ends = { element, around, _ in Ring.weight(element) > Ring.weight(around) }
    var row = Chain("SUBQUERY(PATH, $x, INNER).@count > 0", "$x.weight > weight + 5")
    row.ends = { element, _, root in Ring.weight(element) > Ring.weight(root) + 5 }
    var each = Chain("SUBQUERY(PATH, $x, INNER AND $x.weight >= $y.weight).@count > 0")
    each.keeps = { element, around, _ in Ring.weight(element) >= Ring.weight(around) }
    var both = Chain("SUBQUERY(PATH, $x, $x.weight != $y.weight AND INNER).@count IN {1, 2, 3}", "$x.weight > weight")
    both.keeps = { element, around, _ in Ring.weight(element) != Ring.weight(around) }
    both.ends = { element, _, root in Ring.weight(element) > Ring.weight(root) }
    return [last, row, each, both]
  }()

  @Test(arguments: alone + correlated, LinkAccess.allCases)
  func workIsInProportionToDepth(_ chain: Chain, _ links: LinkAccess) throws {
    let ring = try Ring()
    var steps: [Int] = []
    for depth in [1, 2, 3, 12, 24, 36] {
      let (found, taken) = try ring.ask(chain.text(depth), links)
      #expect(found == chain.found(depth), "\(depth) deep")
      if let taken, depth > 3 { steps.append(taken) }
    }
    Self.expectEvenSteps(steps)
  }

  /// Of questions 12, 24 and 36 deep: twelve more levels are as much work as the twelve before. The first levels are
  /// asked in another way than those far below.
  private static func expectEvenSteps(_ steps: [Int]) {
    guard steps.count == 3 else { return }
    #expect(steps[0] > 0)
    #expect(steps[2] - steps[1] <= (steps[1] - steps[0]) * 5 / 4 + 100, "\(steps) steps")
  }

  private final class Asked: Sendable {
    private let count = Atomic<Int>(0)
    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
  }

  /// There are as many elements as ways to them, and more than can be counted: but they take no room, and whoever has
  /// waited long enough can go.
  @Test func moreWaysThanCanBeWalked() throws {
    let ring = try Ring()
    let path = Array(repeating: "next", count: 40).joined(separator: ".")
    for text in ["\(path).@sum.weight > 1", "SUBQUERY(\(path), $x, $x.weight > weight).@count > 1"] {
      let snapshot = try ring.file.beginSnapshot()
      let asked = Asked()
      let options = PlannerOptions(links: .sets, isCancelled: { asked.next() > 300 })
      let query = try ring.compile(text)
      #expect(throws: QueryCancelled.self) { try query.plan(in: snapshot, options: options).count(in: snapshot) }
    }
  }

  /// As deep as a text may be, on a thread with little stack.
  @Test(arguments: LinkAccess.allCases)
  func deepestOnASmallStack(_ links: LinkAccess) throws {
    let ring = try Ring()
    let chain = Chain("SUBQUERY(PATH, $x, INNER).@count > 0")
    onSmallStack {
      #expect(throws: Never.self) {
        let (found, _) = try ring.ask(chain.text(190), links)
        #expect(found == chain.found(190))
      }
    }
  }

  /// Two in each as deep as limits let it: what is planned for both is planned once.
  @Test(arguments: LinkAccess.allCases)
  func severalInEach(_ links: LinkAccess) throws {
    let chain = Chain("SUBQUERY(PATH, $x, INNER).@count > 0 AND SUBQUERY(PATH, $x, INNER).@count < 4")
    let (found, steps) = try Ring().ask(chain.text(7), links)
    #expect(found == chain.found(7))
    #expect(steps ?? 0 < 100_000)
  }

  /// Quantifiers over many links ask each object once a link.
  @Test(arguments: LinkAccess.allCases)
  func quantifiersOverManyLinks(_ links: LinkAccess) throws {
    let ring = try Ring()
    let chain = Chain("")
    var steps: [Int] = []
    for depth in [1, 2, 3, 12, 24, 36] {
      let path = Array(repeating: "next", count: depth).joined(separator: ".")
      let (found, taken) = try ring.ask("ANY \(path).weight > 11", links)
      #expect(found == chain.found(depth), "\(depth) links")
      let (all, _) = try ring.ask("NOT ALL \(path).weight <= 11 AND NOT NONE \(path).weight > 11", links)
      #expect(all == found, "\(depth) links")
      if let taken, depth > 3 { steps.append(taken) }
    }
    Self.expectEvenSteps(steps)
  }
}
