import LMDB
import Testing
import Values

@testable import QueryEngine
@testable import Storage

/// A bit that flipped in an index makes an error, or right rows: numbers from the disk size nothing unseen.
@Suite struct DamagedLinksTests {
  private static let queries: [(entity: String, text: String)] = [
    ("Project", "ANY tasks.priority == 10"), ("Project", "ANY tasks.priority > 3"),
    ("Project", "ALL tasks.priority IN {1, 2, 10}"), ("Project", "NONE tasks.priority == 5"),
    ("Project", "SUBQUERY(tasks, $t, $t.priority == 7 AND $t.assignee == lead).@count > 0"),
    ("Project", "SUBQUERY(tasks, $t, $t.priority == 9).@sum.estimate > 1"),
    ("Project", "ANY tasks.assignee == 'p7'"), ("Project", "lead.name == 'p7'"),
    ("Project", "parent.tasks.@avg.priority > 5"), ("Project", "ANY tasks.assignee.tasks.priority > lead.age"),
    ("Task", "assignee == 'p7'"), ("Task", "assignee.name IN {'p7', 'p8'}"), ("Task", "ANY projects.lead == 'p7'"),
    ("Task", "projects.lead.@count > 1"), ("Task", "priority == 10 SORT(assignee.age)"), ("Task", "priority > 8"),
    ("Person", "tasks.@avg.priority > 5"), ("Person", "ANY tasks.priority == 10"),
    ("Person", "SUBQUERY(tasks, $t, $t.priority > age / 10).@count > 2"), ("Person", "name == 'p7'"),
    ("Person", "ANY @links.Project.lead.name == 'j5'"), ("Task", "priority IN {3, 4} SORT(priority) LIMIT(5)"),
    ("Task", "TRUEPREDICATE DISTINCT(priority)"),
  ]

  /// Flips a bit of the last object, or of all, under each key of all indexes.
  private func damage(_ works: Works, _ bit: UInt64, all: Bool) throws {
    let file = works.file
    try file.environment.write { transaction in
      let catalog = try file.catalog(in: transaction)
      for entity in catalog.schema.entities {
        for index in try catalog.tables(of: entity).indexes {
          var entries: [(key: [UInt8], object: UInt64)] = []
          let cursor = try transaction.cursor(index)
          var entry = try cursor.first()
          while let found = entry {
            let key = Array(found.key)
            if !all, entries.last?.key == key { entries.removeLast() }
            entries.append((key, found.value.loadUnaligned(as: UInt64.self)))
            entry = try cursor.next()
          }
          for (key, object) in entries {
            try key.withUnsafeBytes {
              _ = try transaction.delete($0, object, index)
              _ = try transaction.putDuplicate($0, object ^ (1 << bit), index)
            }
          }
        }
      }
    }
  }

  @Test(arguments: [9, 20, 33, 40, 55, 62, 63] as [UInt64], [false, true])
  func aFlippedBitIsNoticed(bit: UInt64, all: Bool) throws {
    let works = try Works(seed: 8, people: 60, tasks: 300, projects: 150)
    let whole = try Works(seed: 8, people: 60, tasks: 300, projects: 150).file.beginSnapshot()
    // Before the indexes are known to be damaged, and set aside.
    let queries = try Self.queries.map { (text: $0.text, query: try works.compile($0.entity, $0.text)) }
    try damage(works, bit, all: all)
    let snapshot = try works.file.beginSnapshot()
    var refused = 0
    for (text, query) in queries {
      let expected = try query.plan(in: whole, options: PlannerOptions(access: .scanOnly, links: .rows))
        .objects(in: whole)
      for links in LinkAccess.allCases {
        var (number, count) = (0, 1)
        while number < count {
          do {
            // Planning reads indexes too.
            count = min(4, try query.planCount(in: snapshot))
            let plan = try query.plan(in: snapshot, options: PlannerOptions(access: .enumerated(number), links: links))
            let found = try plan.objects(in: snapshot)
            #expect(found == expected, "\(text), plan \(number), \(links)\n\(plan.explanation.text)")
          } catch StoreError.corrupted(let place) {
            // Who meets the damage hears of it, and who needs the index after that.
            #expect(place.contains("which no object can have") || place.contains("which is damaged"))
            refused += 1
          }
          number += 1
        }
      }
    }
    #expect(refused > Self.queries.count)
  }

  /// Links that lead beyond all objects lead nowhere: within a write they may be there for a while.
  @Test(arguments: [7, 300, 1 << 33, 1 << 55, .max, -1, .min] as [Int64])
  func aLinkBeyondAllObjectsLeadsNowhere(target: Int64) throws {
    let works = try Works()
    struct Undone: Error {}
    #expect(throws: Undone.self) {
      try works.file.write { session in
        let task = try #require(session.schema.entity(named: "Task"))
        let project = try #require(session.schema.entity(named: "Project"))
        try session.update(ObjectNumber(1), of: task, [(task.column(at: "assignee") ?? 0, .int(target))])
        let tasks = Value.list([.int(target), .int(3)])
        try session.update(ObjectNumber(3), of: project, [(project.column(at: "tasks") ?? 0, tasks)])
        let snapshot = try session.snapshot()
        let facts: [(entity: String, text: String, numbers: [UInt64])] = [
          ("Task", "assignee.age > 20", [2, 3]), ("Task", "assignee.age + 0 > 20", [2, 3]),
          ("Project", "ANY tasks.priority > 5", [1, 2, 3, 4]), ("Project", "tasks.@sum.priority == 9", [3, 4]),
          ("Project", "ANY parent.tasks.priority == 5", [2, 3]), ("Task", "ANY projects.name == 'Idle'", [3]),
          ("Task", "projects.@count == 3", [3]), ("Person", "tasks.projects.@count > 1", [1, 2]),
        ]
        for (entity, text, numbers) in facts {
          for links in LinkAccess.allCases {
            let plan = try works.compile(entity, text).plan(in: snapshot, options: PlannerOptions(links: links))
            #expect(try plan.objects(in: snapshot).map(\.rawValue) == numbers, "\(text), \(links)")
          }
        }
        throw Undone()
      }
    }
  }
}
