import Schema
import Storage
import Testing
import Values

/// A graph of objects in memory, and what deleting means there: rules followed by looking at everything, again and
/// again, until nothing changes. It is the meaning that the store is compared with.
struct GraphModel {
  /// One object of an entity.
  struct Key: Hashable, Comparable {
    var entity: String
    var number: UInt64

    static func < (left: Key, right: Key) -> Bool { (left.entity, left.number) < (right.entity, right.number) }
  }

  /// A link, by the entity that holds it and its position in that entity's rows.
  struct Link {
    var entity: String
    var path: String
    var position: Int
    var target: String
    var isMany: Bool
    /// What deleting a source does to the targets.
    var rule = DeleteRule.nullify
    /// What deleting a target does to the sources.
    var inverseRule = DeleteRule.nullify
  }

  static let text = #"""
    @Model struct Project {
      var name: String
      @Relationship(deleteRule: .cascade) var tasks: List<Task>
      var lead: Link<Person>?
      var team: Team?
      @Relationship(deleteRule: .cascade) var next: Link<Project>?
    }
    @Model(.embedded) struct Team { var backup: Link<Person>?, people: List<Person> }
    @Model struct Task {
      #Index<Task>([\.owner, \.priority])
      var priority: Int
      @Relationship(deleteRule: .deny) var blockers: List<Task>
      var owner: Link<Person>?
      @Inverse(\Project.tasks) var projects: LinkingObjects<Project>
    }
    @Model struct Person {
      var name: String
      @Relationship(deleteRule: .deny) @Inverse(\Project.lead) var leads: LinkingObjects<Project>
      @Relationship(deleteRule: .cascade) @Inverse(\Task.owner) var tasks: LinkingObjects<Task>
      var friends: List<Person>
    }
    """#

  static let links = [
    Link(entity: "Project", path: "tasks", position: 1, target: "Task", isMany: true, rule: .cascade),
    Link(entity: "Project", path: "lead", position: 2, target: "Person", isMany: false, inverseRule: .deny),
    Link(entity: "Project", path: "team.backup", position: 4, target: "Person", isMany: false),
    Link(entity: "Project", path: "team.people", position: 5, target: "Person", isMany: true),
    Link(entity: "Project", path: "next", position: 6, target: "Project", isMany: false, rule: .cascade),
    Link(entity: "Task", path: "blockers", position: 1, target: "Task", isMany: true, rule: .deny),
    Link(entity: "Task", path: "owner", position: 2, target: "Person", isMany: false, inverseRule: .cascade),
    Link(entity: "Person", path: "friends", position: 1, target: "Person", isMany: true),
  ]

  static let entities = ["Project", "Task", "Person"]

  var rows: [Key: [Value]] = [:]
  var next: [String: UInt64] = ["Project": 1, "Task": 1, "Person": 1]

  mutating func insert(_ row: [Value], into entity: String) -> Key {
    let key = Key(entity: entity, number: next[entity] ?? 1)
    next[entity] = key.number + 1
    rows[key] = row
    return key
  }

  /// The objects that a link of an object leads to.
  func targets(_ key: Key, _ link: Link) -> [Key] {
    guard key.entity == link.entity, let value = rows[key]?[link.position] else { return [] }
    let numbers = if case .list(let elements) = value { elements } else { [value] }
    return numbers.compactMap {
      if case .int(let number) = $0 { Key(entity: link.target, number: UInt64(number)) } else { nil }
    }
  }

  func sources(_ key: Key, _ link: Link) -> [Key] {
    guard key.entity == link.target else { return [] }
    return rows.keys.filter { targets($0, link).contains(key) }.sorted()
  }

  /// The objects at the ends of all properties that have a rule.
  private func others(_ key: Key, _ rule: DeleteRule) -> Set<Key> {
    var others: Set<Key> = []
    for link in Self.links {
      if link.rule == rule { others.formUnion(targets(key, link).filter { rows[$0] != nil }) }
      if link.inverseRule == rule { others.formUnion(sources(key, link)) }
    }
    return others
  }

  /// Deletes objects of an entity; false when some rule forbids it.
  mutating func delete(_ keys: [Key]) -> Bool {
    var going = Set(keys.filter { rows[$0] != nil })
    while true {
      let more = going.reduce(into: going) { $0.formUnion(others($1, .cascade)) }
      if more == going { break }
      going = more
    }
    guard going.allSatisfy({ others($0, .deny).isSubset(of: going) }) else { return false }
    for key in going { rows[key] = nil }
    for key in rows.keys {
      for link in Self.links where link.entity == key.entity {
        let gone = going.filter { $0.entity == link.target }.map { Value.int(Int64($0.number)) }
        switch rows[key]?[link.position] {
        case .list(let elements)?: rows[key]?[link.position] = .list(elements.filter { !gone.contains($0) })
        case .int(let number)? where gone.contains(.int(number)): rows[key]?[link.position] = .null
        default: break
        }
      }
    }
    return true
  }
}
