import Foundation
import PredicateLanguage
import Schema
import Storage
import TestSeeds
import Testing
import Values

/// What was written is what is there: rows, clusters and indexes, to the bit, after updates and deletes.
struct StoredRowsTests {
  @Test func everythingWrittenIsThere() throws {
    let seed = testSeed()
    var random = OracleRandom(seed: seed)
    for round in 0..<60 {
      let store = RandomStore.make(objects: random.pick([0, 5, 40, 300, 700]), &random)
      let written = try WrittenStore(store)
      if let problem = try problem(written) {
        Issue.record("SEED=\(seed), store \(round): \(problem)\n\(SchemaText.print(store.schema))")
        return
      }
    }
  }

  private func problem(_ written: WrittenStore) throws -> String? {
    let check = try written.file.check()
    if !check.problems.isEmpty { return "check finds \(check.problems)" }
    return try written.file.read { snapshot in
      guard let entity = snapshot.schema.entity(named: written.store.entity.name) else { return "no entity" }
      if try snapshot.objectCount(entity) != written.objects.count { return "the count is wrong" }
      let paths = entity.columns.map(\.column.path)
      for object in written.objects {
        let expected = paths.map { object.values[$0] ?? .null }
        guard let row = try snapshot.row(ObjectNumber(object.number), of: entity) else {
          return "\(object.number) is gone"
        }
        if !zip(row, expected).allSatisfy(same) { return "\(object.number) is \(row), was \(expected)" }
      }
      var found: [UInt64] = []
      var wrong: String?
      try snapshot.forEachCluster(entity) { cluster in
        cluster.present.forEach { slot in found.append(ObjectNumber(cluster: cluster.number, slot: slot).rawValue) }
        for column in paths.indices {
          let view = try cluster.column(column)
          for object in written.objects where object.number >> 8 == cluster.number {
            let value = try view.value(at: Int(object.number & 255))
            let expected = object.values[paths[column]] ?? .null
            if !same(value, expected) {
              wrong = "column \(paths[column]) of \(object.number) is \(value), was \(expected)"
            }
          }
        }
        return wrong == nil
      }
      if let wrong { return wrong }
      if found != written.objects.map(\.number) { return "the clusters hold \(found)" }
      return try indexProblem(written, snapshot, entity)
    }
  }

  /// The whole of each index, in its order: by key, then by object.
  private func indexProblem(_ written: WrittenStore, _ snapshot: Snapshot, _ entity: StoredEntity) throws -> String? {
    for index in entity.indexes {
      let reader = try snapshot.index(index, of: entity)
      if reader.hasLongKeys || index.index.kind == .trigram { continue }
      var found: [UInt64] = []
      try reader.forEachRun(IndexKeyRange(lower: .unbounded, upper: .unbounded), descending: false) { run in
        found += Array(run)
        return true
      }
      let keys = index.columns.map { entity.columns[$0].column.path }
      let expected = written.objects.sorted { left, right in
        for key in keys {
          var (a, b) = (left.values[key] ?? .null, right.values[key] ?? .null)
          // A folded index is in the order of the folded texts.
          if index.index.kind == .folded {
            if case .string(let text) = a {
              a = .string(OracleText.folded(text, [.caseInsensitive, .diacriticInsensitive]))
            }
            if case .string(let text) = b {
              b = .string(OracleText.folded(text, [.caseInsensitive, .diacriticInsensitive]))
            }
          }
          if OracleValues.sortsBefore(a, b) { return true }
          if OracleValues.sortsBefore(b, a) { return false }
        }
        return left.number < right.number
      }.map(\.number)
      if found != expected { return "index \(index.index.name) is in the order \(found), should be \(expected)" }
    }
    return nil
  }

  /// The same to the bit.
  private func same(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern
    case (.date(let a), .date(let b)): a.seconds.bitPattern == b.seconds.bitPattern
    case (.decimal(let a), .decimal(let b)): a.isNaN ? b.isNaN : a == b
    case (.string(let a), .string(let b)): Array(a.utf8) == Array(b.utf8)
    case (.list(let a), .list(let b)): a.count == b.count && zip(a, b).allSatisfy(same)
    case (.embedded(let a), .embedded(let b)):
      a.count == b.count
        && zip(a, b).allSatisfy { Array($0.name.utf8) == Array($1.name.utf8) && same($0.value, $1.value) }
    default: left == right
    }
  }
}
