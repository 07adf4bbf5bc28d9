import Storage
import Testing

@testable import QueryEngine

/// Groups, rows and sections as nodes of a plan, with estimates, actual numbers, and what is evaluated row by row.
@Suite struct RowPlanTests {
  private func lines(_ text: String, analyze: Bool = false, _ access: AccessChoice = .cheapest) throws -> [String] {
    let works = try Works(seed: 3, people: 30, tasks: 600, projects: 40)
    let snapshot = try works.file.beginSnapshot()
    let plan = try LinkedRowsTests.compiled(text, snapshot).plan(in: snapshot, options: PlannerOptions(access: access))
    let explanation = try analyze ? plan.analyze(in: snapshot) : plan.explanation
    return explanation.text.split(separator: "\n").map(String.init)
  }

  @Test func everyNodeHasAnEstimateAndAnActualNumber() throws {
    let text = "Task WHERE priority > 2 GROUP BY isComplete SELECT isComplete, @count HAVING @count > 1 SORT BY @count"
    let found = try lines(text, analyze: true)
    let names = ["Select", "Sort", "Having", "Group"]
    for (name, line) in zip(names, found) {
      #expect(line.contains("\(name)  ") && line.contains(" est ") && line.contains(" actual 2"), "\(line)")
    }
  }

  /// Aggregates of all objects are passes of their own over the scan, whose objects count once.
  @Test(arguments: ["@sum.estimate, @avg.estimate, @max.title, @count", "@sum.estimate, @avg.priority, @min.estimate"])
  func totalsAreAnalyzedAsTheyRun(values: String) throws {
    let found = try lines("Task SELECT \(values)", analyze: true)
    let scan = try #require(found.first { $0.contains("Scan  Task") })
    #expect(scan.contains("actual 600 ") && scan.contains("clusters 3 of 3"), "\(found)")
    let group = try #require(found.first { $0.contains("Group  all") })
    #expect(group.contains("actual 1"), "\(found)")
  }

  /// The keys of an index are the groups, so that their number is known.
  @Test func countedGroupsAreTheKeysOfAnIndex() throws {
    let found = try lines("Task GROUP BY priority SELECT priority, @count", analyze: true, .forceIndex(["priority"]))
    let numbers = found.filter { $0.contains("Group  ") || $0.contains("IndexKeys") }
      .compactMap { $0.firstMatch(of: /est (\d+) +actual (\d+)/) }.map { ($0.1, $0.2) }
    #expect(numbers.count == 2 && numbers.allSatisfy { $0.0 == $0.1 }, "\(found)")
  }

  @Test(arguments: [
    ("Task WHERE ANY labels == 'a' SELECT title", "Filter  ", ["row by row"]),
    ("Task WHERE priority > 3 SELECT title", "Filter  ", []),
    ("Task SELECT title, priority * 2, labels", "Select  ", []),
    ("Task SELECT title, labels.@max, labels", "Select  ", ["row by row: labels.@max"]),
    ("Task GROUP BY labels.@max SELECT @count", "Group  ", ["row by row"]),
    ("Task GROUP BY priority * 2 SELECT @count", "Group  ", []),
    ("Task GROUP BY isComplete SELECT @count * 2", "Select  ", ["row by row"]),
    ("Task GROUP BY isComplete SELECT isComplete, @count, @count * 2", "Select  ", ["row by row: @count * 2"]),
    ("Task GROUP BY isComplete SELECT isComplete, @count", "Select  ", []),
    ("Task GROUP BY isComplete SELECT @count HAVING @count > 1", "Having  ", ["row by row"]),
    ("Task GROUP BY priority SELECT @count SORT BY @count DESC", "Sort  ", ["row by row"]),
    ("Task GROUP BY priority SELECT @count DISTINCT @count", "Distinct  ", ["row by row"]),
    ("Task GROUP BY isComplete SELECT @avg.priority, @sum.estimate", "Group  ", []),
    ("City GROUP BY size SELECT @avg.sizes['old'], @sum.size", "Group  ", ["row by row: @avg.sizes[\"old\"]"]),
    ("City GROUP BY size SELECT @sum.sizes.@values, @count", "Group  ", ["row by row: @sum.sizes.@values"]),
    ("Task GROUP BY isComplete SELECT @min.labels", "Group  ", ["row by row: @min.labels"]),
    ("Task GROUP BY assignee.name SELECT @count", "Group  ", []),
    ("Task GROUP BY assignee.boss.name SELECT @count", "Group  ", ["row by row"]),
    ("City SECTIONS BY sizes['old'] SELECT name", "Sections  ", ["row by row"]),
    ("City SECTIONS BY size SELECT name", "Sections  ", []),
  ])
  func whatIsEvaluatedRowByRowIsNamed(text: String, node: String, notes: [String]) throws {
    try expect(notes, at: node, in: try lines(text))
  }

  /// A sort with one key that has no order-preserving word evaluates all keys row by row.
  @Test(arguments: [
    ("SORT(title, priority)", "Sort  ", []),
    ("SORT(title, TERNARY(isComplete, priority, estimate))", "Sort  ", ["row by row"]),
    ("SORT(title, labels.@max)", "Sort  ", ["row by row: labels.@max"]),
    ("SORT(TERNARY(isComplete, priority, estimate), title) LIMIT(3)", "TopK  ", ["row by row: TERNARY("]),
    ("SORT(priority) LIMIT(3)", "TopK  ", []), ("SORT(title) LIMIT(3)", "TopK  ", []),
    ("SORT(uppercase(title), priority * 2) LIMIT(3)", "TopK  ", []),
    ("SORT(uppercase(title), labels.@max) LIMIT(3)", "TopK  ", ["row by row: labels.@max"]),
    ("SORT(assignee.name)", "Sort  ", []), ("SORT(assignee.boss.name)", "Sort  ", ["row by row"]),
  ])
  func keysThatAreEvaluatedRowByRowAreNamed(stages: String, node: String, notes: [String]) throws {
    let works = try Works(seed: 3, people: 30, tasks: 600, projects: 40)
    let plan = try works.compile("Task", "priority > 1 \(stages)").plan(
      in: try works.file.beginSnapshot(), options: PlannerOptions(access: .scanOnly))
    try expect(notes, at: node, in: plan.explanation.text.split(separator: "\n").map(String.init))
  }

  private func expect(_ notes: [String], at node: String, in all: [String]) throws {
    let found = all.filter { $0.contains(node) }
    #expect(!found.isEmpty, "\(all)")
    for line in found {
      #expect(line.contains("row by row") == !notes.isEmpty && notes.allSatisfy(line.contains), "\(line)")
    }
  }
}
