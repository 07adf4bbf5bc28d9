import Foundation
import GRDB
import Glibc
import ObjectStoreCore

/// Changes of objects that are there: one at a time and safe on disk, by many at once, and many in one transaction.
struct Updates {
  let folder: URL
  let store: Store
  let sqlite: SQLiteSide
  let quakes: [QuakeRow]
  let report: Report

  /// Needs the unique index over `code`.
  func measure() async throws {
    try single()
    try await concurrent()
    try upserts()
  }

  // MARK: One

  /// Each side in turn, many times, since a disk's mood changes. The first ones are left out: until commits have freed
  /// pages for those after them, the file grows, which a disk syncs otherwise.
  private func single() throws {
    let name = "durable one-object update"
    guard report.wants(name) else { return }
    var random = Generator(seed: 3)
    let file = try SyncedFile(folder.appendingPathComponent("synced").path)
    var (ours, theirs, syncs): ([Double], [Double], [Double]) = ([], [], [])
    for turn in 0..<120 {
      if turn == 20 { (ours, theirs, syncs) = ([], [], []) }
      let (index, value) = (random.below(quakes.count), random.below(1000))
      let number = ObjectNumber(UInt64(index + 1))
      ours.append(
        try nanoseconds {
          try store.write { try $0.update(number, of: "Quake", ["felt": .int(Int64(value))]) }
        })
      syncs.append(try nanoseconds { for _ in 0..<2 { try file.writePage(random.below(1000)) } })
      theirs.append(try nanoseconds { try sqlite.setFelt(value, of: index + 1) })
    }
    let limit = median(of: syncs) / 1e3
    report.add(
      Row(
        row: name + " (limit: two syncs)", unit: "us", ours: median(of: ours) / 1e3, sqlite: median(of: theirs) / 1e3,
        realm: try report.realm.map { try $0.update(times: 120) / 1e3 }, limit: limit, goal: limit * 1.1,
        isQuery: false))
  }

  // MARK: By many at once

  private func concurrent() async throws {
    let (writers, each) = (64, 16)
    let name = "durable one-object updates by \(writers) tasks at once"
    guard report.wants(name) else { return }
    let (store, database, count) = (store, sqlite.database, quakes.count)
    func number(_ writer: Int, _ turn: Int) -> Int { (writer * 7919 + turn * 104_729) % count + 1 }
    // Another value each time: SQLite writes nothing where nothing changes.
    func rate(
      round: Int, _ update: @escaping @Sendable (Int, Int) async throws -> Void
    ) async throws -> Double {
      let clock = ContinuousClock()
      let start = clock.now
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<writers {
          group.addTask {
            for turn in 0..<each { try await update(number(writer, turn), 1000 * round + writer + turn) }
          }
        }
        try await group.waitForAll()
      }
      return Double(writers * each) / seconds(clock.now - start)
    }
    var (ours, theirs): ([Double], [Double]) = ([], [])
    for round in 1...report.repetitions {
      ours.append(
        try await rate(round: round) { number, value in
          try await store.write { tx in
            try tx.update(ObjectNumber(UInt64(number)), of: "Quake", ["felt": .int(Int64(value))])
          }
        })
      theirs.append(
        try await rate(round: round) { number, value in
          try await database.write { try $0.execute(sql: SQLiteSide.setFelt, arguments: [value, number]) }
        })
    }
    report.add(
      Row(row: name, unit: "objects/s", ours: median(of: ours), sqlite: median(of: theirs), isQuery: false))
  }

  // MARK: Many

  /// A tenth of the objects in random order, found by their code and given another significance.
  private func upserts() throws {
    let name = "upsert of a tenth"
    guard report.wants(name) else { return }
    var random = Generator(seed: 17)
    let rows = (0..<max(1, quakes.count / 10)).map { _ in quakes[random.below(quakes.count)] }
    try report.rate(
      name, of: rows.count,
      ours: changing(rows) { rows in
        try store.write { tx in
          let inserter = try tx.inserter(for: "Quake", upsertKey: "code")
          for row in rows { try inserter.append(row.values) }
        }
      },
      sqlite: changing(rows) { rows in
        try sqlite.database.write { db in
          let statement = try db.makeStatement(sql: SQLiteSide.upsert)
          for row in rows { try statement.execute(arguments: row.arguments) }
        }
      })
    let (left, right) = (
      try store.objects("Quake").sum(of: "significance"),
      try sqlite.integer("SELECT sum(significance) FROM quake")
    )
    guard left == .int(Int64(right)) else {
      throw DifferentAnswers(description: "\(name): significances add up to \(left), in SQLite to \(right)")
    }
  }

  /// Writes rows that differ from what is there, each time; the nanoseconds it takes.
  private func changing(
    _ rows: [QuakeRow], _ write: @escaping ([QuakeRow]) throws -> Void
  ) -> () throws -> Double {
    var rows = rows
    return {
      for index in rows.indices { rows[index].significance = (rows[index].significance + 1) % 1000 }
      return try nanoseconds { try write(rows) }
    }
  }
}

/// A file of which single pages are written and made safe: what any durable change costs on this disk.
final class SyncedFile {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = open(path, O_RDWR | O_CREAT, 0o600)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    for page in 0..<1000 { try write(page) }
    fsync(descriptor)
  }

  deinit { close(descriptor) }

  /// Writes a page and waits until the disk has it.
  func writePage(_ page: Int) throws {
    try write(page)
    guard fdatasync(descriptor) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  private func write(_ page: Int) throws {
    var bytes = [UInt8](repeating: UInt8(page & 0xFF), count: 4096)
    bytes[0] &+= 1
    guard pwrite(descriptor, bytes, bytes.count, off_t(page * bytes.count)) == bytes.count else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
  }
}
