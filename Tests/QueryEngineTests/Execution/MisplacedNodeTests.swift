import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// A node where the planner never puts it is an error, not an empty answer.
@Suite struct MisplacedNodeTests {
  private static let groups = PlanNode(kind: .group(Grouping()), children: [PlanNode(kind: .scan)])

  @Test func groupsHaveNoObjects() throws {
    let store = try TestStore(.int, (0..<600).map { .int($0) })
    let snapshot = try store.file.beginSnapshot()
    let executor = Executor(try store.compile("x > 5").plan(in: snapshot), snapshot)
    let having = PlanNode(
      kind: .having(.constant(true), PredicateSyntax(.constant(true))), children: [Self.groups])
    for node in [Self.groups, having] {
      #expect(throws: StoreError.self) { try executor.gathered(node.numbered(), limit: nil) }
    }
  }

  @Test func nodesOfObjectsAreNotOverGroups() throws {
    let store = try TestStore(.int, (0..<600).map { .int($0) })
    let snapshot = try store.file.beginSnapshot()
    let executor = Executor(try store.compile("x > 5").plan(in: snapshot), snapshot)
    for kind in [PlanNode.Kind.filter([]), .topK([], count: 3)] {
      let node = PlanNode(kind: kind, children: [Self.groups]).numbered()
      #expect(throws: StoreError.self) { try executor.members(of: node) }
    }
    guard case .groups(let groups, let chosen) = try executor.members(of: Self.groups.numbered()) else {
      Issue.record("groups are no objects")
      return
    }
    #expect(groups.count == 1 && chosen == [0])
  }
}
