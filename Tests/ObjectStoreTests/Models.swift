public import Foundation
public import ObjectStore

@Model(.embedded) struct Location {
  var name: String
  var longitude: Double
  var latitude: Double
}

@Model struct Quake {
  #Index<Quake>([\.time], [\.magnitude, \.time])
  @Attribute(.unique) var code: String
  var magnitude: Double
  var time: Date
  var location: Location
  var origin: Location?
  var felt: Int?
}

@Model struct Trip {
  @Attribute(.unique) var code: String
  var stops: [Stop] = []
}

/// What a trip has several of.
@Model struct Stop {
  var name: String
  var minutes: Int?
  var location: Location?
}

/// A property of every type, in every way to write one.
@Model public struct Everything {
  var flag = false, tiny: Int8 = -1, small: Int16, medium: Int32 = 3
  var whole = 0, wide: Int64 = 9
  var single: Float = 0.5
  var number = 1.5
  var text = ""
  @Attribute(originalName: "when", "whenever") var moment = Date()
  var key = UUID()
  var bytes: Data = Data()
  var maybe: Bool?
  var `in`: String?
  let fixed: Int
  var list: [Int] = [3, 1], words = ["a", "b"], dates: [Date] = []
  var set: Set<String> = ["x"], maybeSet: Set<Int>?, byName: [String: Double] = [:], sizes = ["s": 1]
  var one, two: Int?
  var counted = 0 { didSet { counted = max(0, counted) } }
  var double: Double { number * 2 }
  static let shared = 1
}

/// A model with an `id`, an initialiser and methods of its own.
@Model struct Station {
  #Unique<Station>([\.network, \.code])
  #Index<Station>([\.network])
  let id: UUID
  var network: String
  @Attribute(.indexed) var code: String

  init(_ network: String, _ code: String) {
    id = UUID()
    self.network = network
    self.code = code
  }

  func title() -> String { "\(network).\(code)" }
}

enum Namespace {
  @Model struct Inner { var value = 0 }
}

/// Models that link to each other, to themselves, and from an embedded struct.
@Model struct Person {
  @Attribute(.unique) var name: String
  var friends: List<Person>
  var mentor: Link<Person>?
  @Inverse(\Person.mentor) var pupils: LinkingObjects<Person>
  @Relationship(deleteRule: .deny) @Inverse(\Task.work.owner) var tasks: LinkingObjects<Task>
}

@Model(.embedded) struct Work {
  var minutes = 0
  var owner: Link<Person>?
}

@Model struct Task {
  var name = "", isComplete = false, assignee: String?, priority = 0, progressMinutes = 0
  var labels: Set<String> = [], ratings: Set<Int> = []
  var work = Work()
  @Inverse(\Project.tasks) var projects: LinkingObjects<Project>
}

@Model struct Project {
  var name = ""
  @Relationship(deleteRule: .cascade) var tasks: List<Task>
}
