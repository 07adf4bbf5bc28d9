import Foundation
import TestSeeds
import Testing

@testable import ObjectStoreCore

/// The text of a query means the query: read back, it finds the same objects in the same order, however the query was
/// refined.
@Suite struct RefinementTextTests {
  /// Ten stored quakes, by magnitude 0 to 9.
  private static func ten() throws -> Results<Quake> {
    let store = try Store.inMemory(Quake.self)
    try store.write { tx in _ = try tx.add((0..<10).map { Quake("q\($0)", Double($0), at: 0) }) }
    return store.objects(Quake.self)
  }

  private static func magnitudes(_ results: Results<Quake>) throws -> [Double] {
    try results.objects().map(\.magnitude)
  }

  @Test func aFilterAfterATailFiltersWhatIsLeft() throws {
    let all = try Self.ten()
    let cases: [(Results<Quake>, String, [Double])] = [
      (try all.limit(3).filter("magnitude > 1"), "LIMIT(3) FILTER(magnitude > 1)", [2]),
      (try all.offset(8).filter("magnitude > 1"), "OFFSET(8) FILTER(magnitude > 1)", [8, 9]),
      (
        try all.filter("magnitude > 1 LIMIT(3)").filter("magnitude > 2 LIMIT(1)"),
        "magnitude > 1 LIMIT(3) FILTER(magnitude > 2) LIMIT(1)", [3]
      ),
      (
        try all.sorted(by: "magnitude DESC").limit(3).filter("magnitude < 9"),
        "SORT(magnitude DESC) LIMIT(3) FILTER(magnitude < 9)", [8, 7]
      ),
      (
        try all.distinct(by: "modulus:by:(magnitude, 3)").filter("magnitude > 1"),
        "DISTINCT(modulus:by:(magnitude, 3)) FILTER(magnitude > 1)", [2]
      ),
      // Sorting is stable, so a filter may as well go first.
      (
        try all.sorted(by: "magnitude DESC").filter("magnitude > 8").filter("magnitude < 10"),
        "magnitude > 8 AND magnitude < 10 SORT(magnitude DESC)", [9]
      ),
      (try all.offset(0).filter("magnitude > 7").limit(1), "magnitude > 7 LIMIT(1)", [8]),
      (try all.filter("FILTER(magnitude > 7)"), "magnitude > 7", [8, 9]),
    ]
    for (results, text, magnitudes) in cases {
      #expect(results.predicateFormat == text)
      #expect(try Self.magnitudes(results) == magnitudes)
      #expect(try Self.magnitudes(all.filter(text)) == magnitudes)
    }
  }

  @Test func argumentsAreInTheTail() throws {
    let all = try Self.ten()
    let some = try all.filter("magnitude > %@ LIMIT(%@) FILTER(magnitude > %@)", 1, 3, 2)
    #expect(some.predicateFormat == "magnitude > 1 LIMIT(3) FILTER(magnitude > 2)")
    #expect(try Self.magnitudes(some) == [3, 4])
    #expect(try Self.magnitudes(all.filter("magnitude > %@ LIMIT(%@) FILTER(magnitude > %@)", 1, 3, 3)) == [4])
  }

  /// What no text can say can't be read back as something else.
  @Test func givenObjectsHaveNoText() throws {
    let store = try Project.store()
    let project = try #require(try store.objects(Project.self).filter("name == 'enterprise'").first)
    let task = try #require(try project.tasks.objects().first)
    let tasks = store.objects(Task.self)
    let section = try #require(try tasks.sectioned(by: \.isComplete, order: .reverse).sections().first)
    let cases: [(Results<Task>, format: String, description: String, count: Int)] = [
      (try project.tasks.results, "… 2 given objects …", "Task (2 given objects)", 2),
      (
        try project.tasks.results.filter("priority > 9"), "… priority > 9 of 2 given objects …",
        "Task (2 given objects) WHERE priority > 9", 1
      ),
      (
        try section.results.filter("priority > 6").limit(3), "… priority > 6 LIMIT(3) of 8 given objects …",
        "Task (8 given objects) WHERE priority > 6 LIMIT(3)", 1
      ),
    ]
    for (results, format, description, count) in cases {
      #expect(results.predicateFormat == format)
      #expect(results.description == description)
      #expect(try results.count == count)
      #expect(throws: QueryError.self) { try tasks.filter(results.predicateFormat) }
    }
    let linking = try task.projects.results.filter("name != 'x'")
    let number = try #require(task.objectID).number
    #expect(
      linking.description == "Project (those that link to object \(number) through 'tasks') WHERE name != \"x\"")
    #expect(throws: QueryError.self) { try store.objects(Project.self).filter(linking.predicateFormat) }
    let dynamic = try #require(try store.objects("Project").filter("name == 'enterprise'").first)
    #expect(try dynamic.objects(at: "tasks").predicateFormat == "… 2 given objects …")
  }

  @Test func anInvalidQueryPrintsItsError() throws {
    let store = try Project.store()
    let invalid = store.objects(Project.self).where { ($0.name == "x").count > 1 }
    let error = #expect(throws: QueryError.self) { try invalid.count }
    let message = try #require(error?.message)
    #expect(message.contains("there is none in it"))
    #expect(invalid.predicateFormat == "… \(message) …")
    #expect(invalid.description == "Project WHERE … \(message) …")
    #expect(throws: QueryError.self) { try store.objects(Project.self).filter(invalid.predicateFormat) }
    // A property that is not stored.
    let unstored = store.objects(Project.self).sorted(by: \.name.count)
    #expect(unstored.predicateFormat.hasPrefix("… ") && unstored.predicateFormat.contains("stored"))
  }

  @Test func whatIsPrintedMeansTheSame() throws {
    let seed = testSeed()
    var random = Numbers(seed)
    let store = try Store.inMemory(Quake.self)
    try store.write { tx in
      _ = try tx.add(
        (0..<700).map { number in
          Quake(
            "q\(number)", Double(random.below(12)), at: Double(random.below(40)),
            felt: random.below(3) == 0 ? nil : random.below(9))
        })
    }
    let all = store.objects(Quake.self)
    var filtered = 0
    for round in 0..<400 {
      var results = all
      var steps: [String] = []
      for _ in 0..<(1 + random.below(6)) {
        switch random.below(5) {
        case 0:
          let text = Self.text(&random)
          steps.append("filter \(text)")
          results = try results.filter(text)
        case 1:
          let key = random.pick(Self.keys) + random.pick(["", " DESC"])
          steps.append("sorted \(key)")
          results = try results.sorted(by: key)
        case 2:
          let value = random.pick(Self.keys)
          steps.append("distinct \(value)")
          results = try results.distinct(by: value)
        case 3:
          let count = random.below(500)
          steps.append("limit \(count)")
          results = results.limit(count)
        default:
          let count = random.below(60)
          steps.append("offset \(count)")
          results = results.offset(count)
        }
      }
      let text = results.predicateFormat
      if text.contains("FILTER") { filtered += 1 }
      let read = try all.filter(text)
      let (expected, found) = (try results.ids, try read.ids)
      #expect(read.predicateFormat == text)
      guard expected != found else { continue }
      Issue.record("seed \(seed), round \(round): \(steps.joined(separator: ", ")) prints as '\(text)'")
      return
    }
    #expect(filtered > 100, "hardly any filter came after a tail")
  }

  private static let keys = ["magnitude", "felt", "time", "modulus:by:(magnitude, 4)"]

  /// A condition, with tails now and then.
  private static func text(_ random: inout Numbers) -> String {
    let conditions = ["magnitude > 3", "felt == nil", "felt < 6 OR magnitude == 2", "NOT felt > 4", "TRUEPREDICATE"]
    var text = random.below(6) == 0 ? "" : random.pick(conditions)
    while text.isEmpty || random.below(3) == 0 {
      if !text.isEmpty { text += " " }
      switch random.below(5) {
      case 0: text += "FILTER(\(random.pick(conditions)))"
      case 1: text += "SORT(\(random.pick(keys)) DESC)"
      case 2: text += "DISTINCT(\(random.pick(keys)), \(random.pick(keys)))"
      case 3: text += "LIMIT(\(random.below(300)))"
      default: text += "OFFSET(\(random.below(30)))"
      }
    }
    return text
  }
}

extension Numbers {
  fileprivate mutating func below(_ count: Int) -> Int { .random(in: 0..<count, using: &self) }

  fileprivate mutating func pick(_ texts: [String]) -> String { texts.randomElement(using: &self) ?? "" }
}
