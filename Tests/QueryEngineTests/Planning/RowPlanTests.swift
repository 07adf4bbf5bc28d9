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
    ("Task GROUP BY isComplete SELECT @count * 2", "Select  ", []),
  ])
  func whatIsEvaluatedRowByRowIsNamed(text: String, node: String, notes: [String]) throws {
    let all = try lines(text)
    let found = all.filter { $0.contains(node) }
    #expect(!found.isEmpty, "\(all)")
    for line in found {
      #expect(line.contains("row by row") == !notes.isEmpty && notes.allSatisfy(line.contains), "\(line)")
    }
  }
}
