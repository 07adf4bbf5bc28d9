import Foundation
import TestSeeds
import Testing

@testable import ObjectStoreCore

/// Writes of tasks that wait together and are committed together.
@Suite struct GroupCommitTests {
  private struct Refused: Error, Equatable { var number = 0 }

  // MARK: One commit

  @Test func thoseThatWaitTogetherAreOneCommit() async throws {
    let store = try Quake.store()
    let before = try store.statistics().version
    let line = Line(store)
    let ids = await line.add(100) { number, tx in try tx.add(Quake("new\(number)", Double(number))) }
    line.go()
    for (number, id) in ids.enumerated() {
      // In the order they were asked for.
      #expect(try await id.value.number == ObjectNumber(UInt64(6 + number)))
    }
    // The one that held them up changed nothing.
    #expect(try store.statistics().version == before + 1)
    #expect(try store.objects(Quake.self).count == 105)
    #expect(try store.check().isWhole)
  }

  @Test func eachSeesWhatThoseBeforeItDid() async throws {
    let store = try Quake.store()
    let line = Line(store)
    let counts = await line.add(20) { number, tx in
      try tx.add(Quake("new\(number)", 1))
      return try tx.objects(Quake.self).count
    }
    line.go()
    for (number, count) in counts.enumerated() { #expect(try await count.value == 6 + number) }
  }

  // MARK: Throwing

  @Test func oneThatThrowsLeavesTheOthersAsTheyAre() async throws {
    let store = try Quake.store()
    let before = try store.statistics().version
    let line = Line(store)
    let tasks = await line.add(10) { number, tx in
      try tx.add(Quake("new\(number)", 1))
      if number == 4 { throw Refused(number: number) }
    }
    line.go()
    for (number, task) in tasks.enumerated() where number != 4 { try await task.value }
    await #expect(throws: Refused(number: 4)) { try await tasks[4].value }
    #expect(
      try store.objects(Quake.self).filter("code BEGINSWITH 'new'").values(of: \.code)
        == [0, 1, 2, 3, 5, 6, 7, 8, 9].map { "new\($0)" })
    // Those before it, and those after it.
    #expect(try store.statistics().version == before + 2)
    #expect(try store.check().isWhole)
  }

  @Test func oneThatThrowsAndChangedNothingCostsNothing() async throws {
    let store = try Quake.store()
    let line = Line(store)
    let runs = Counter()
    let tasks = await line.add(10) { number, tx in
      runs.increment()
      if number % 2 == 0 { throw Refused(number: try tx.objects(Quake.self).count) }
      try tx.add(Quake("new\(number)", 1))
    }
    line.go()
    for (number, task) in tasks.enumerated() {
      if number % 2 == 0 {
        await #expect(throws: Refused(number: 5 + number / 2)) { try await task.value }
      } else {
        try await task.value
      }
    }
    #expect(runs.value == 10)
  }

  @Test func whatIsFoundAtTheEndOfAWriteIsItsOwn() async throws {
    let store = try Quake.store()
    let line = Line(store)
    let first = await line.add { tx in _ = try tx.add(Quake("same", 1)) }
    let second = await line.add { tx in try tx.update(ObjectID<Quake>(ObjectNumber(1))) { $0.code = "same" } }
    let third = await line.add { tx in _ = try tx.add(Quake("other", 3)) }
    line.go()
    try await first.value
    await #expect(
      throws: StoreError.constraintViolated(
        UniquenessViolation(
          entity: "Quake", path: "code", value: .string("same"), objects: [ObjectNumber(1), ObjectNumber(6)]))
    ) { try await second.value }
    try await third.value
    #expect(try store.objects(Quake.self).filter("code IN {'same', 'other'}").values(of: \.magnitude) == [1, 3])
  }

  @Test func whatThrewMayBeDoneAgainWithinTheSameCode() async throws {
    let store = try Quake.store()
    for number in 0..<5 {
      await #expect(throws: Refused()) {
        try await store.write { tx in
          try tx.add(Quake("new\(number)", 1))
          throw Refused()
        }
      }
      try await store.write { tx in _ = try tx.add(Quake("new\(number)", 2)) }
    }
    #expect(try store.objects(Quake.self).filter("code BEGINSWITH 'new'").values(of: \.magnitude) == [2, 2, 2, 2, 2])
  }

  // MARK: Cancelling and waiting

  @Test func aTaskThatIsCancelledGoesOnAtOnce() async throws {
    let store = try Quake.store()
    let line = Line(store)
    let waiting = await line.add { tx in _ = try tx.add(Quake("waiting", 1)) }
    let cancelled = await line.add { tx in _ = try tx.add(Quake("cancelled", 1)) }
    cancelled.cancel()
    // The writer is still held up.
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    line.go()
    try await waiting.value
    #expect(try store.objects(Quake.self).filter("code IN {'waiting', 'cancelled'}").values(of: \.code) == ["waiting"])
  }

  @Test func oneThatIsCancelledBeforeItWaitsDoesNothing() async throws {
    let store = try Quake.store()
    let task = _Concurrency.Task {
      while !_Concurrency.Task.isCancelled { await _Concurrency.Task.yield() }
      try await store.write { tx in _ = try tx.add(Quake("x", 1)) }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try store.objects(Quake.self).count == 5)
  }

  @Test func allThatWaitedTooLongAreTold() async throws {
    let store = try Quake.store()
    store.busyTimeout = .milliseconds(20)
    let line = Line(store)
    let tasks = await line.add(3) { _, tx in _ = try tx.add(Quake("x", 1)) }
    for task in tasks {
      await #expect {
        try await task.value
      } throws: {
        if case StoreError.busy(let writer) = $0 { writer?.processID == getpid() } else { false }
      }
    }
    line.go()
    #expect(try store.objects(Quake.self).count == 5)
  }

  /// A commit that the disk refuses is tried again write by write, so that only the one that is too large is refused.
  @Test func oneThatCannotBeCommittedLeavesTheOthersAsTheyAre() throws {
    let folder = try TemporaryFolder()
    let said = Set(try OtherProcess.run("share", on: folder.path("notes")))
    if said == ["skipped"] { return }
    #expect(said == Set((0..<12).map { "\($0) \($0 == 5 ? "refused" : "written")" }))
    let store = try Store.openDynamic(folder.path("notes"), mode: .readOnly)
    #expect(try store.objects("Note").count == 13)
  }

  // MARK: Against a model

  /// What a random write does.
  private enum Work: CaseIterable { case add, change, remove, count, throwBefore, throwAfter }

  @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6]) func followsTheModel(seed: UInt64) async throws {
    var random = SeededNumbers(seed)
    let store = try Quake.store()
    let objects = try store.objects(Quake.self)
    var model = Dictionary(uniqueKeysWithValues: Quake.five.map { ($0.code, $0.magnitude) })
    for round in 0..<8 {
      let line = Line(store, span: round % 2 == 0 ? .seconds(60) : .zero)
      var expected: [Int?] = []
      var tasks: [_Concurrency.Task<Int, any Error>] = []
      for number in 0..<Int.random(in: 1...30, using: &random) {
        let work = Work.allCases.randomElement(using: &random) ?? .count
        let code = "c\(Int.random(in: 0..<12, using: &random))"
        expected.append(Self.expect(work, code, Double(number), in: &model))
        tasks.append(await line.add { tx in try Self.perform(work, code, Double(number), in: tx) })
      }
      line.go()
      for (number, task) in tasks.enumerated() {
        let result = await task.result
        #expect((try? result.get()) == expected[number], "seed \(seed), round \(round), write \(number): \(result)")
      }
      let found = try Dictionary(
        uniqueKeysWithValues: zip(objects.values(of: \.code), objects.values(of: \.magnitude)))
      #expect(found == model, "seed \(seed), round \(round)")
      #expect(try store.check().problems == [], "seed \(seed), round \(round)")
    }
  }

  /// Does it to the model; how many there are then, nil where it is refused.
  private static func expect(
    _ work: Work, _ code: String, _ value: Double, in model: inout [String: Double]
  ) -> Int? {
    switch work {
    case .add:
      if model[code] != nil { return nil }
      model[code] = value
    case .change: if model[code] != nil { model[code] = value }
    case .remove: model[code] = nil
    case .count: break
    case .throwBefore, .throwAfter: return nil
    }
    return model.count
  }

  private static func perform(
    _ work: Work, _ code: String, _ value: Double, in tx: WriteTransaction
  ) throws -> Int {
    let found = try tx.objects(Quake.self).filter("code == %@", code)
    switch work {
    case .add: try tx.add(Quake(code, value))
    case .change: if let id = try found.ids.first { try tx.update(id) { $0.magnitude = value } }
    case .remove: try tx.delete(found)
    case .count: break
    case .throwBefore: throw Refused()
    case .throwAfter:
      try tx.delete(tx.objects(Quake.self))
      try tx.add(Quake(code + "!", value))
      throw Refused()
    }
    return try tx.objects(Quake.self).count
  }
}

/// Writes that are made to wait, in a known order, until all of them may go.
private final class Line {
  private let store: Store
  private let queue: WriteQueue
  private let entered = DispatchSemaphore(value: 0)
  private let leave = DispatchSemaphore(value: 0)

  /// Somebody else holds the writer's turn from here on.
  init(_ store: Store, span: Duration = .seconds(60)) {
    self.store = store
    queue = WriteQueue(span: span)
    Thread.detachNewThread { [entered, leave] in
      try? store.write { _ in
        entered.signal()
        leave.wait()
      }
    }
    entered.wait()
  }

  deinit { leave.signal() }

  /// Adds a write, which waits when this returns.
  func add<Output: Sendable>(
    _ body: @escaping @Sendable (WriteTransaction) throws -> Output
  ) async -> _Concurrency.Task<Output, any Error> {
    let write = TaskWrite(store, body)
    let (waiting, isWaiting) = AsyncStream.makeStream(of: Void.self)
    let task = _Concurrency.Task { [queue, store] in
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          if write.wait(continuation) { queue.add(write, for: store) }
          isWaiting.finish()
        }
      } onCancel: {
        write.cancel()
      }
    }
    for await _ in waiting {}
    return task
  }

  /// Adds several, by number.
  func add<Output: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int, WriteTransaction) throws -> Output
  ) async -> [_Concurrency.Task<Output, any Error>] {
    var tasks: [_Concurrency.Task<Output, any Error>] = []
    for number in 0..<count { tasks.append(await add { tx in try body(number, tx) }) }
    return tasks
  }

  /// Nobody holds it any more.
  func go() { leave.signal() }
}

/// Counts from any thread.
private final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  var value: Int { lock.withLock { count } }
  func increment() { lock.withLock { count += 1 } }
}
