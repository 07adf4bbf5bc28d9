import Schema
import Storage
import Testing
import Values

/// What a delete takes along, what it leaves behind, and what keeps it from happening.
@Suite struct LinkDeleteTests {
  private func file(_ text: String) throws -> StoreFile { try StoreFile.inMemory(declaring: try .text(text)) }

  @Test func linksToWhatIsDeletedAreTakenAway() throws {
    let file = try file(
      "@Model struct P { var tasks: List<T>, best: Link<T>?, own: Link<P>? } @Model struct T { var x: Int }")
    try file.insert([[.int(1)], [.int(2)], [.int(3)]], into: "T")
    try file.insert([[.links(1, 2, 1, 3), .link(1), .link(1)], [.links(2), .link(2), .link(1)]], into: "P")
    #expect(try file.delete([1, 1, 7], of: "T") == 1)
    #expect(try file.rows("P") == [1: [.links(2, 3), .null, .link(1)], 2: [.links(2), .link(2), .link(1)]])
    #expect(try file.sources(of: 1, through: "tasks", of: "P") == [])
    try file.expectWhole()
    // A link to itself goes with it.
    #expect(try file.delete([1], of: "P") == 1)
    #expect(try file.rows("P") == [2: [.links(2), .link(2), .null]])
    #expect(try file.rows("T").keys.sorted() == [2, 3])
    try file.expectWhole()
  }

  @Test func cascadesGoThroughCyclesAndInverses() throws {
    let file = try file(
      #"""
      @Model struct P { @Relationship(deleteRule: .cascade) var tasks: List<T>; var name: String }
      @Model struct T {
        @Relationship(deleteRule: .cascade) var next: Link<T>?
        @Relationship(deleteRule: .cascade) @Inverse(\N.task) var notes: LinkingObjects<N>
      }
      @Model struct N { var task: Link<T>?, about: Link<N>? }
      """#)
    // 1 → 2 → 3 → 1 is a cycle; 4 leads into it and stays.
    try file.write { session in
      let task = try #require(session.schema.entity(named: "T"))
      for next in [2, 3, 1, 1] as [UInt64] { try session.insert([.link(next)], into: task) }
    }
    try file.insert([[.link(3), .null], [.link(4), .link(1)], [.null, .null]], into: "N")
    try file.insert([[.links(2, 2), .string("a")], [.links(4, 3), .string("b")]], into: "P")
    #expect(try file.delete([1], of: "P") == 1)
    #expect(try file.rows("T") == [4: [.null]])
    #expect(try file.rows("N") == [2: [.link(4), .null], 3: [.null, .null]])
    #expect(try file.rows("P") == [2: [.links(4), .string("b")]])
    try file.expectWhole()
  }

  @Test func longChainsNeedNoStack() throws {
    let file = try file("@Model struct T { @Relationship(deleteRule: .cascade) var next: Link<T>? }")
    let count: UInt64 = 10_000
    try file.write { session in
      let task = try #require(session.schema.entity(named: "T"))
      for number in 1...count { try session.insert([.link(number % count + 1)], into: task) }
    }
    #expect(try file.delete([7], of: "T") == 1)
    #expect(try file.rows("T").isEmpty)
    try file.expectWhole()
  }

  @Test func denyKeepsWhatOthersNeed() throws {
    let file = try file(
      #"""
      @Model struct P { var name: String; @Relationship(deleteRule: .deny) var tasks: List<T> }
      @Model struct T { var owner: Link<H>? }
      @Model struct H { @Relationship(deleteRule: .deny) @Inverse(\T.owner) var tasks: LinkingObjects<T> }
      """#)
    try file.insert([[]], into: "H")
    try file.insert([[.link(1)], [.link(1)]], into: "T")
    try file.insert([[.string("a"), .links(2, 2)], [.string("b"), .links()]], into: "P")
    let denied = StoreError.deleteDenied(
      DeniedDelete(
        entity: "P", object: .init(ObjectNumber(1)), path: "tasks", other: "T", others: [.init(ObjectNumber(2))],
        count: 1))
    try file.write { session in
      let projects = try #require(session.schema.entity(named: "P"))
      #expect(throws: denied) { try session.delete(ObjectNumber(1), of: projects) }
      // Refused as a whole, and the write goes on.
      #expect(throws: denied) { try session.delete([ObjectNumber(2), ObjectNumber(1)], of: projects) }
      #expect(try session.row(ObjectNumber(2), of: projects) != nil)
      #expect(try session.delete(ObjectNumber(2), of: projects))
    }
    #expect(
      denied.description
        == "P number 1 cannot be deleted: its 'tasks' has the delete rule 'deny' and leads to 1 T (number 2); "
        + "delete it with this or before, or take it out of 'tasks'")
    #expect(
      throws: StoreError.deleteDenied(
        DeniedDelete(
          entity: "H", object: .init(ObjectNumber(1)), path: "tasks", other: "T",
          others: [.init(ObjectNumber(1)), .init(ObjectNumber(2))], count: 2))
    ) { try file.delete([1], of: "H") }
    try file.expectWhole()
    #expect(try file.delete([1, 2], of: "T") == 2)
    #expect(try file.rows("P") == [1: [.string("a"), .links()]])
    #expect(try file.delete([1], of: "P") == 1)
    #expect(try file.delete([1], of: "H") == 1)
    try file.expectWhole()
  }

  @Test func deniedObjectsAreNamedByTheirUniqueProperty() throws {
    let file = try file(
      #"""
      @Model struct H {
        @Attribute(.unique) var name: String
        @Relationship(deleteRule: .deny) @Inverse(\T.owner) var tasks: LinkingObjects<T>
      }
      @Model struct T { @Attribute(.unique) var code: Int?; var owner: Link<H>? }
      """#)
    try file.insert([[.string("Ann")]], into: "H")
    try file.insert((1...30).map { [$0 == 2 ? .null : .int($0 * 10), .link(1)] }, into: "T")
    do {
      _ = try file.delete([1], of: "H")
      Issue.record("deleted")
    } catch {
      #expect(
        "\(error)" == "H \"Ann\" cannot be deleted: its 'tasks' has the delete rule 'deny' and leads to 30 T "
          + "(10, 2, 30, 40, 50 and 25 more); delete those with it or before, or take them out of 'tasks'")
    }
    try file.expectWhole()
  }

  @Test func denyCountsOnlyWhatStays() throws {
    let file = try file(
      #"""
      @Model struct P {
        @Relationship(deleteRule: .cascade) var tasks: List<T>
        @Relationship(deleteRule: .deny) var lead: Link<T>?
      }
      @Model struct T {
        @Relationship(deleteRule: .deny) var needs: Link<T>?
        @Relationship(deleteRule: .deny) @Inverse(\P.tasks) var projects: LinkingObjects<P>
      }
      """#)
    try file.insert([[.null], [.link(1)]], into: "T")
    try file.insert([[.links(1, 2), .link(2)]], into: "P")
    #expect(throws: StoreError.self) { try file.delete([2], of: "T") }
    #expect(try file.delete([1], of: "P") == 1)
    #expect(try file.rows("T").isEmpty)
    // Itself is no other.
    try file.write { session in
      _ = try session.insert([.link(3)], into: try #require(session.schema.entity(named: "T")))
    }
    #expect(try file.delete([3], of: "T") == 1)
    try file.expectWhole()
  }

  /// Members go one by one, and in groups: their list is written once for each time that somebody looks at it.
  @Test func aListThatManyGoOutOfIsWrittenOnce() throws {
    let file = try file(
      "@Model struct P { var tasks: List<T>, more: List<T> } @Model struct T { var x: Int }")
    let count: Int64 = 2000
    let all = (1...count).map { Value.int($0) }
    try file.insert(all.map { [$0] }, into: "T")
    try file.insert([[.list(all + all.reversed()), .links(1, 2, 1)], [.links(5), .links()]], into: "P")
    try file.write { session in
      let tasks = try #require(session.schema.entity(named: "T"))
      let projects = try #require(session.schema.entity(named: "P"))
      for number in 1...1000 { #expect(try session.delete(ObjectNumber(UInt64(number)), of: tasks)) }
      #expect(try session.delete((1001...1500).map { ObjectNumber($0) }, of: tasks) == 500)
      #expect(session.listsShortened == 0)
      let left = Array(all[1500...])
      #expect(try session.row(ObjectNumber(1), of: projects) == [.list(left + left.reversed()), .links()])
      #expect(session.listsShortened == 2)
      // Someone who is gone is linked to again: that is found when the write ends, unless it is taken back.
      try session.update(ObjectNumber(2), of: projects, [(0, .links(5, 1501))])
      #expect(try session.delete(ObjectNumber(1501), of: tasks))
      #expect(try session.row(ObjectNumber(2), of: projects)?.first == .links(5))
      try session.update(ObjectNumber(2), of: projects, [(0, .links(1502, 1503, 1502))])
      for number in 1502...1999 { #expect(try session.delete(ObjectNumber(UInt64(number)), of: tasks)) }
      // What is to lose something goes itself.
      #expect(try session.delete(ObjectNumber(2), of: projects))
      let snapshot = try session.snapshot()
      #expect(try snapshot.row(ObjectNumber(1), of: projects)?.first == .links(2000, 2000))
      #expect(try session.delete(ObjectNumber(2000), of: tasks))
    }
    #expect(try file.rows("T").isEmpty)
    #expect(try file.rows("P") == [1: [.links(), .links()]])
    try file.expectWhole()
    // And what is linked to after it went is refused.
    try file.insert([[.int(1)], [.int(2)]], into: "T")
    #expect(throws: StoreError.self) {
      try file.write { session in
        let tasks = try #require(session.schema.entity(named: "T"))
        let projects = try #require(session.schema.entity(named: "P"))
        try session.update(ObjectNumber(1), of: projects, [(0, .links(2001, 2002))])
        try session.delete(ObjectNumber(2001), of: tasks)
        try session.update(ObjectNumber(1), of: projects, [(0, .links(2001))])
        try session.delete(ObjectNumber(2002), of: tasks)
      }
    }
    #expect(try file.rows("P") == [1: [.links(), .links()]])
    try file.expectWhole()
  }
}
