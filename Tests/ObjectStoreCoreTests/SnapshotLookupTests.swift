import Foundation
import Synchronization
import TestSeeds
import Testing

@testable import ObjectStoreCore

/// What `@Model` writes, by hand, and something that happens whenever one is read.
private struct Step: Model {
  struct Refused: Error {}

  @TaskLocal static var whileRead: (@Sendable (_ next: Int) throws -> Void)?

  var number: Int
  var next: Int
  private var _objectID = ObjectIdentity<Step>()

  init(_ number: Int, next: Int) {
    self.number = number
    self.next = next
  }

  static let modelDefinition = ModelDefinition(of: Step.self, name: "Step") { model in
    model.property("number", \Step.number, \Step?.?.number, indexes: [.unique])
    model.property("next", \Step.next, \Step?.?.next)
  }

  var objectID: ObjectID<Step>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  var objectIdentity: ObjectIdentity<Step> {
    get { _objectID }
    set { _objectID = newValue }
  }

  init(from row: inout RowDecoder) throws {
    number = try row.next()
    // What is read in between must leave the rest of this row as it is.
    try Step.whileRead?((number + 257) % 600)
    next = try row.next()
  }

  func encode(into row: inout RowEncoder) {
    number.encode(into: &row)
    next.encode(into: &row)
  }
}

/// Single objects that are read one after the other in a snapshot: what they are read with is used again, and no answer
/// is another for it.
@Suite struct SnapshotLookupTests {
  @Test func aSnapshotStaysOfItsVersion() throws {
    let store = try Quake.store()
    let read = { (snapshot: StoreSnapshot, code: String) in
      let value = try snapshot.value(of: \Quake.magnitude, where: \.code, is: code)
      #expect(try snapshot.object(Quake.self, where: \.code, is: code)?.magnitude == value)
      #expect(try snapshot.objects(Quake.self).filter("code == %@", code).first?.magnitude == value)
      return value
    }
    try store.snapshot { before throws in
      #expect(try read(before, "us1") == 6.4)
      try store.write { tx in
        for quake in try tx.objects(Quake.self).objects() {
          let id = try #require(quake.objectID)
          if quake.code == "ak2" { try tx.delete(id) } else { try tx.update(id) { $0.magnitude += 1 } }
        }
        try tx.add(Quake("new", 9))
      }
      try store.snapshot { after throws in
        for (code, magnitude) in [("us1", 7.4), ("ak2", nil), ("ci3", 3.5), ("new", 9)] {
          #expect(try read(after, code) == magnitude)
          #expect(try store.object(Quake.self, where: \.code, is: code)?.magnitude == magnitude)
        }
        #expect(try read(before, "us1") == 6.4)
        #expect(try read(after, "us1") == 7.4)
      }
      for (code, magnitude) in [("us1", 6.4), ("ak2", 1.5), ("ci3", 2.5), ("new", nil)] {
        #expect(try read(before, code) == magnitude)
      }
    }
    try store.snapshot { snapshot throws in #expect(try read(snapshot, "ak2") == nil) }
  }

  @Test func whatAnotherProcessCommitsIsSeenInTheNextSnapshot() throws {
    let folder = try TemporaryFolder()
    let store = try Store(folder.path("quakes"), models: Quake.self)
    try store.write { tx in _ = try tx.add(Quake.five) }
    let read = { (snapshot: StoreSnapshot) in try snapshot.value(of: \Quake.magnitude, where: \.code, is: "us1") }
    try store.snapshot { snapshot throws in
      #expect(try read(snapshot) == 6.4)
      try OtherProcess.run("UPDATE Quake SET magnitude = 7 WHERE code == 'us1'", on: folder.path("quakes"))
      #expect(try read(snapshot) == 6.4)
    }
    try store.snapshot { snapshot throws in #expect(try read(snapshot) == 7) }
    #expect(try store.object(Quake.self, where: \.code, is: "us1")?.magnitude == 7)
    try OtherProcess.run("DELETE Quake WHERE code == 'us1'", on: folder.path("quakes"))
    try store.snapshot { snapshot throws in #expect(try read(snapshot) == nil) }
    #expect(try store.object(Quake.self, where: \.code, is: "us1") == nil)
  }

  @Test func anIndexThatGoesIsThereUntilTheSnapshotEnds() throws {
    let store = try Quake.store()
    try store.snapshot { snapshot throws in
      #expect(try snapshot.value(of: \Quake.felt, where: \.code, is: "us1") == 60)
      var schema = try store.schema
      let quake = try #require(schema.entities.firstIndex { $0.name == "Quake" })
      schema.entities[quake].indexes = []
      try store.declare(schema, removing: ["@unique Quake.code", "@indexed Quake.magnitude+time"])
      #expect(try snapshot.value(of: \Quake.felt, where: \.code, is: "ci3") == 3)
      #expect(try snapshot.object(Quake.self, where: \.code, is: "us4")?.magnitude == 5.1)
    }
    try store.snapshot { snapshot throws in
      #expect(throws: StoreError.self) { try snapshot.value(of: \Quake.felt, where: \.code, is: "us1") }
      #expect(try snapshot.objects(Quake.self).filter("code == %@", "us1").first?.felt == 60)
    }
  }

  @Test func aSnapshotThatEndedOrIsElsewhereThrows() throws {
    var kept: StoreSnapshot?
    var results: Results<Quake>?
    try Quake.store().snapshot { snapshot throws in
      kept = snapshot
      results = try snapshot.objects(Quake.self).filter("code == %@", "us1")
      #expect(try snapshot.value(of: \Quake.felt, where: \.code, is: "us1") == 60)
      #expect(try results?.first?.felt == 60)
      let thread = Thread {
        #expect(throws: StoreError.self) { try snapshot.value(of: \Quake.felt, where: \.code, is: "us1") }
        #expect(throws: StoreError.self) { try snapshot.object(Quake.self, where: \.code, is: "us1") }
      }
      thread.start()
      while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
      #expect(try snapshot.value(of: \Quake.felt, where: \.code, is: "us1") == 60)
    }
    let snapshot = try #require(kept)
    #expect(throws: StoreError.finished) { try snapshot.value(of: \Quake.felt, where: \.code, is: "us1") }
    #expect(throws: StoreError.finished) { try snapshot.object(Quake.self, where: \.code, is: "us1") }
    #expect(throws: StoreError.finished) { try results?.first }
    #expect(throws: StoreError.finished) { try results?.last }
    #expect(throws: StoreError.finished) { try results?[0] }
  }

  /// Whoever lets go of a store that is being read lets go of nothing that is still needed, and keeps nothing open.
  @Test func aStoreThatIsLetGoEndsAfterItsSnapshot() throws {
    weak var ended: Store?
    func read() throws {
      var kept: [StoreSnapshot] = []
      var holder: [Store] = [try Quake.store()]
      ended = holder.first
      try holder.removeLast().snapshot { snapshot throws in
        #expect(try snapshot.value(of: \Quake.felt, where: \.code, is: "us1") == 60)
        #expect(try snapshot.object(Quake.self, where: \.code, is: "nc5")?.origin?.name == "Napa")
        kept.append(snapshot)
      }
      #expect(throws: StoreError.finished) { try kept[0].value(of: \Quake.felt, where: \.code, is: "us1") }
    }
    try read()
    #expect(ended == nil)
  }

  /// Clusters of several kinds in any order: with and without nil, with long texts that are kept elsewhere, and the
  /// same twice.
  @Test func everyObjectIsReadAsItIs() throws {
    let seed = testSeed()
    var random = Numbers(seed)
    let store = try Store.inMemory(Quake.self)
    var known: [String: Quake] = [:]
    try store.write { tx in
      for number in 0..<1_500 {
        let kind = number / 256
        let place = Place(kind % 2 == 0 ? "p\(number)" : String(repeating: "long \(number) ", count: 1_000))
        let origin = kind == 2 || number % 3 == 0 ? Place("o\(number)", Double(number)) : nil
        var quake = Quake("q\(number)", Double(number), in: place, from: origin, felt: kind < 3 ? number : nil)
        quake.objectID = try tx.add(quake)
        known[quake.code] = quake
      }
    }
    try store.snapshot { snapshot throws in
      for _ in 0..<3_000 {
        let number = Int.random(in: 0..<1_600, using: &random)
        let (code, expected) = ("q\(number)", known["q\(number)"])
        switch Int.random(in: 0..<7, using: &random) {
        case 0: #expect(try snapshot.object(Quake.self, where: \.code, is: code) == expected)
        case 1: #expect(try snapshot.value(of: \Quake.felt, where: \.code, is: code) == expected.map(\.felt))
        case 2: #expect(try snapshot.value(of: \Quake.place.name, where: \.code, is: code) == expected?.place.name)
        case 3: #expect(try snapshot.value(of: \Quake.origin, where: \.code, is: code) == expected.map(\.origin))
        case 4: #expect(try snapshot.objects(Quake.self).filter("code == %@", code).first == expected)
        case 5: #expect(try snapshot.objects(Quake.self).filter("magnitude == %@", Double(number)).last == expected)
        default:
          if let expected { #expect(try snapshot.objects(Quake.self)[number] == expected) }
        }
      }
    }
  }

  /// A model may look for others while it is read, and may refuse to be read: neither is seen by the look-ups after it.
  @Test func readingMayLookFurtherAndMayFail() throws {
    let store = try Store.inMemory(Step.self)
    try store.write { tx in for number in 0..<600 { try tx.add(Step(number, next: (number + 257) % 600)) } }
    try store.snapshot { snapshot throws in
      for number in [0, 300, 1, 599, 0] {
        let inner = Mutex<[Int]>([])
        let outer = try Step.$whileRead.withValue(
          { next in
            guard inner.withLock({ $0.count }) < 5 else { return }
            inner.withLock { $0.append(next) }
            let found = try snapshot.object(Step.self, where: \.number, is: next)
            #expect(found?.number == next && found?.next == (next + 257) % 600)
          },
          operation: { try snapshot.object(Step.self, where: \.number, is: number) })
        #expect(outer?.number == number && outer?.next == (number + 257) % 600)
        #expect(inner.withLock(\.self) == (1...5).map { (number + 257 * $0) % 600 })
      }
      for number in [5, 400, 6] {
        #expect(throws: Step.Refused.self) {
          try Step.$whileRead.withValue(
            { _ in throw Step.Refused() }, operation: { try snapshot.object(Step.self, where: \.number, is: number) })
        }
        let after = number + 1
        #expect(try snapshot.object(Step.self, where: \.number, is: after)?.next == (after + 257) % 600)
      }
    }
  }

  /// Readers on many threads, each in snapshots of its own, while somebody writes.
  @Test func manyReadAtOnce() async throws {
    let store = try Quake.store()
    // All five have the same whenever somebody asks.
    try await store.write { tx in for id in try tx.objects(Quake.self).ids { try tx.update(id) { $0.felt = 0 } } }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<100 {
            try store.snapshot { snapshot throws in
              let felt = try snapshot.value(of: \Quake.felt, where: \.code, is: "us1")
              for _ in 0..<10 {
                #expect(try snapshot.object(Quake.self, where: \.code, is: "ci3")?.felt == felt)
                #expect(try snapshot.objects(Quake.self).filter("code == %@", "us4").first?.felt == felt)
              }
            }
          }
        }
      }
      group.addTask {
        for turn in 0..<50 {
          try await store.write { tx in
            for id in try tx.objects(Quake.self).ids { try tx.update(id) { $0.felt = turn } }
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
