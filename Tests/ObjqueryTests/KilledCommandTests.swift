import Foundation
import ObjectStoreCore
import TestSeeds
import Testing

/// `objquery` is killed at random moments of all it does to a store. What is left is whole, and has what was there
/// before or all that is new. `KILLS` says how often.
@Suite struct KilledCommandTests {
  private static let kills = ProcessInfo.processInfo.environment["KILLS"].flatMap(Int.init) ?? 50
  private static let count = 8_000

  /// What the command is doing when it is killed.
  private enum Work: CaseIterable {
    case creation, importing, indexing, upserting, migration, dumpImport, backup, compaction
    case createdIndex, convertedProperty, wholeSchema
  }

  private let workshop: Workshop
  /// The store that each round begins with, and the files it imports.
  private let original: String
  private let first, changed, more, schema, wider, dump: String

  init() throws {
    let workshop = try Workshop()
    self.workshop = workshop
    original = workshop.path + "/original"
    dump = workshop.path + "/dump"
    schema = try workshop.file(
      "thing.swift",
      "@Model struct Thing { @Attribute(.unique) var n: Int; @Attribute(.indexed) var place: String }")
    wider = try workshop.file(
      "wider.swift",
      "@Model struct Thing { @Attribute(.unique) var n: Double; @Attribute(.indexed) var place: String; var x = 4 }")
    func rows(_ name: String, _ numbers: Range<Int>, _ word: String) throws -> String {
      try workshop.file(name, numbers.map { "{\"n\":\($0),\"place\":\"\(word) \($0 * 7)\"}\n" }.joined())
    }
    first = try rows("first.jsonl", 0..<Self.count, "old")
    changed = try rows("changed.jsonl", 0..<Self.count, "new")
    more = try rows("more.jsonl", Self.count..<2 * Self.count, "more")
    for arguments in [
      ["import", "--quiet", original, first, "Thing", "--schema", schema], [original, "-c", ".dump \(dump)"],
    ] {
      let outcome = try Command.run(arguments)
      #expect(outcome.status == 0, "\(outcome)")
    }
  }

  @Test func whatIsLeftIsWhole() throws {
    let seed = testSeed()
    var random = SeededNumbers(seed)
    var durations: [Work: Duration] = [:]
    var ended: [Work: (killed: Int, late: Int)] = [:]
    for round in 0..<Self.kills {
      let work = Work.allCases[round % Work.allCases.count]
      if durations[work] == nil { durations[work] = try run(work, killedAfter: nil).time }
      let moment = (durations[work] ?? .zero) * Double.random(in: 0...1.05, using: &random)
      let outcome = try run(work, killedAfter: moment)
      ended[work, default: (0, 0)].killed += outcome.wasKilled ? 1 : 0
      ended[work, default: (0, 0)].late += outcome.wasKilled ? 0 : 1
    }
    for work in Work.allCases { print("\(work): \(ended[work] ?? (0, 0)), \(durations[work] ?? .zero)") }
    #expect(ended.values.reduce(0) { $0 + $1.killed } > Self.kills / 2)
  }

  /// Does it in a folder of its own, and judges what is left.
  private func run(_ work: Work, killedAfter moment: Duration?) throws -> (time: Duration, wasKilled: Bool) {
    let folder = workshop.path + "/round"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let store = folder + "/store"
    switch work {
    case .creation, .dumpImport: break
    case .importing, .indexing, .upserting, .migration, .backup, .compaction, .createdIndex, .convertedProperty,
      .wholeSchema:
      try FileManager.default.copyItem(atPath: original, toPath: store)
    }
    let command = try RunningCommand(arguments(work, store))
    let start = ContinuousClock.now
    if let moment {
      let seconds = Double(moment.components.seconds) + Double(moment.components.attoseconds) / 1e18
      usleep(UInt32(seconds * 1e6))
    }
    let wasKilled = moment != nil && command.isRunning
    if wasKilled { command.kill() } else { _ = command.end() }
    let time = start.duration(to: .now)
    #expect(wasKilled || command.status == 0, "\(work): \(command.errors)")
    let place = "\(work) killed after \(String(describing: moment))"
    try judge(work, store, isDone: !wasKilled, place)
    if work == .backup { try judge(work, store + "-copy", isDone: !wasKilled, place) }
    return (time, wasKilled)
  }

  private func arguments(_ work: Work, _ store: String) -> [String] {
    switch work {
    case .creation: ["import", "--quiet", store, first, "Thing", "--schema", schema]
    case .importing: ["import", "--quiet", store, more, "Thing"]
    case .indexing: ["import", "--quiet", store, "/dev/null", "Thing", "--jsonl", "--index", "trigram:place"]
    case .upserting: ["import", "--quiet", store, changed, "Thing", "--upsert", "--key", "n"]
    case .migration: ["import", "--quiet", store, "/dev/null", "Thing", "--jsonl", "--schema", wider]
    case .dumpImport: ["import", "--quiet", store, dump]
    case .backup: ["backup", store, store + "-copy"]
    case .compaction: ["compact", store]
    case .createdIndex: [store, "--yes", "-c", "CREATE INDEX ON Thing (place) USING trigram"]
    case .convertedProperty: [store, "--yes", "-c", "ALTER Thing ALTER PROPERTY n Double"]
    case .wholeSchema: ["migrate", "--yes", store, "--schema", wider]
    }
  }

  /// What may be in a store when `work` has ended, or has not.
  private func judge(_ work: Work, _ path: String, isDone: Bool, _ place: String) throws {
    guard FileManager.default.fileExists(atPath: path) else {
      let mayLack = work == .creation || work == .dumpImport || path.hasSuffix("-copy")
      #expect(mayLack && !isDone, "\(place): there is no store")
      return
    }
    let store = try Store.openDynamic(path, mode: .readWrite)
    #expect(try store.check().problems == [], "\(place)")
    let things = try store.schema.entities.isEmpty ? nil : store.objects("Thing")
    let count = try things?.count ?? 0
    func expect(_ filter: String, _ expected: Int) throws {
      #expect(try things?.filter(filter).count == expected, "\(place): \(filter)")
    }
    switch work {
    // So few objects are one commit of an import.
    case .creation, .dumpImport: #expect([isDone ? Self.count : 0, Self.count].contains(count), "\(place): \(count)")
    case .importing:
      #expect([isDone ? 2 * Self.count : Self.count, 2 * Self.count].contains(count), "\(place): \(count)")
      try expect("n < \(Self.count) AND place BEGINSWITH 'old'", Self.count)
    case .indexing, .migration, .backup, .compaction, .createdIndex, .convertedProperty, .wholeSchema:
      let properties = try store.schema.entity(named: "Thing")?.properties ?? []
      let isWide = properties.first?.type == .scalar(.double)
      switch work {
      case .migration, .wholeSchema:
        #expect(properties.count == (isWide ? 3 : 2) && (isWide || !isDone), "\(place): \(properties)")
        if isWide { try expect("x == 4", Self.count) }
      case .convertedProperty: #expect(properties.count == 2 && (isWide || !isDone), "\(place): \(properties)")
      case .creation, .importing, .dumpImport, .indexing, .upserting, .backup, .compaction, .createdIndex:
        #expect(properties.count == 2 && !isWide, "\(place): \(properties)")
      }
      #expect(count == Self.count, "\(place): \(count)")
      try expect("place CONTAINS 'old'", Self.count)
      try expect("n >= 0 AND n < \(Self.count)", Self.count)
    case .upserting:
      #expect(count == Self.count, "\(place): \(count)")
      let changed = try things?.filter("place BEGINSWITH 'new'").count
      #expect(changed == Self.count || changed == 0 && !isDone, "\(place): \(String(describing: changed))")
      try expect("place BEGINSWITH 'old' OR place BEGINSWITH 'new'", Self.count)
    }
    // The next one goes on, and removes what was left.
    try store.write { _ in }
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == ["data.mdb", "lock.mdb"], "\(place)")
  }
}
