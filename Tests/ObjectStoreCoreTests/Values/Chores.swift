import Foundation
import ObjectStoreCore

/// An enum kept by its raw values, a `String`. `#Predicate` takes values that are Codable only.
enum Status: String, PersistableEnum, CaseIterable, Codable { case open, waiting, done }

/// One whose raw values are small integers.
enum Rank: Int8, PersistableEnum, Codable {
  case low = -1, middle, high
}

/// An earlier version of `Status`, which has a case that the later one lacks.
enum EarlierStatus: String, PersistableEnum { case open, paused }

/// What a chore has several of.
struct ChoreStep: Model {
  var title = ""
  var status = Status.open
  var objectID: ObjectID<ChoreStep>?

  init(_ title: String, _ status: Status) { (self.title, self.status) = (title, status) }

  static let modelDefinition = ModelDefinition(of: ChoreStep.self, name: "ChoreStep") { model in
    model.property("title", \ChoreStep.title, \ChoreStep?.?.title)
    model.property("status", \ChoreStep.status, \ChoreStep?.?.status)
  }

  init(from row: inout RowDecoder) throws {
    title = try row.next()
    status = try row.next()
  }

  func encode(into row: inout RowEncoder) {
    title.encode(into: &row)
    status.encode(into: &row)
  }
}

/// What `@Model` writes for properties that are enums, by hand.
struct Chore: Model {
  var name: String
  var status = Status.open
  var rank: Rank?
  var history: [Status] = []
  var wanted: Set<Status> = []
  var byPerson: [String: Status] = [:]
  var steps: [ChoreStep] = []
  private var _objectID = ObjectIdentity<Chore>()

  init(_ name: String, _ status: Status = .open, _ rank: Rank? = nil) {
    self.name = name
    self.status = status
    self.rank = rank
  }

  static let modelDefinition = ModelDefinition(of: Chore.self, name: "Chore") { model in
    model.property("name", \Chore.name, \Chore?.?.name, indexes: [.unique])
    model.property("status", \Chore.status, \Chore?.?.status, member: { Status.open }, indexes: [.ordered])
    model.property("rank", \Chore.rank, \Chore?.?.rank)
    model.property("history", \Chore.history, \Chore?.?.history, default: [])
    model.property("wanted", \Chore.wanted, \Chore?.?.wanted, default: [])
    model.property("byPerson", \Chore.byPerson, \Chore?.?.byPerson, default: [:])
    model.property("steps", \Chore.steps, \Chore?.?.steps, default: [])
  }

  var objectID: ObjectID<Chore>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  init(from row: inout RowDecoder) throws {
    name = try row.next()
    status = try row.next()
    rank = try row.next()
    history = try row.next()
    wanted = try row.next()
    byPerson = try row.next()
    steps = try row.next()
  }

  func encode(into row: inout RowEncoder) {
    name.encode(into: &row)
    status.encode(into: &row)
    rank.encode(into: &row)
    history.encode(into: &row)
    wanted.encode(into: &row)
    byPerson.encode(into: &row)
    steps.encode(into: &row)
  }
}

extension Chore {
  /// A store in memory with four of them.
  static func store() throws -> Store {
    var paint = Chore("paint", .done, .high)
    paint.history = [.open, .waiting, .open]
    paint.wanted = [.done, .open]
    paint.byPerson = ["Ada": .waiting, "Bo": .done]
    paint.steps = [ChoreStep("sand", .done), ChoreStep("prime", .waiting)]
    let store = try Store.inMemory(Chore.self)
    try store.write { tx in
      _ = try tx.add([paint, Chore("dig", .open, .low), Chore("sow", .waiting), Chore("mow", .open, .middle)])
    }
    return store
  }
}
