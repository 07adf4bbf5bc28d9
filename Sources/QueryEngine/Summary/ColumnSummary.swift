package import Storage
package import Values

/// What the values of a column are like: how many are nil, how many are distinct, and which occur most often.
package struct ColumnSummary: Sendable {
  /// The number of objects without a value.
  package var nils = 0
  /// The number of distinct values, and whether it is an estimate; nil for collections.
  package var distinct: (count: Int, isEstimate: Bool)?
  /// The most frequent values with the number of their objects, the most frequent first. None for collections, and for
  /// values that occur only once.
  package var top: [(value: Value, count: Int)] = []

  /// Columns that are read together. Each takes at most 7 MiB.
  private static let atOnce = 8

  /// Summarises columns of the objects of an entity.
  ///
  /// - Parameters:
  ///   - objects: The objects in each cluster; nil for all objects of the entity.
  ///   - top: How many of the most frequent values are found.
  ///   - check: Throws to stop; called for each cluster.
  package static func of(
    _ columns: [Int], _ entity: StoredEntity, _ objects: [UInt64: Mask]?, top: Int, in snapshot: Snapshot,
    check: () throws -> Void
  ) throws -> [ColumnSummary] {
    var summaries: [ColumnSummary] = []
    for first in stride(from: 0, to: columns.count, by: atOnce) {
      let readers = columns[first..<min(first + atOnce, columns.count)].map { ColumnReader($0) }
      let vector = Vector()
      try snapshot.forEachCluster(entity) { cluster in
        try check()
        let present = objects.map { cluster.present & ($0[cluster.number] ?? .none) } ?? cluster.present
        if present.isEmpty { return true }
        for reader in readers { try reader.read(cluster, present, vector) }
        return true
      }
      summaries += try readers.map { try $0.summary(entity, top, in: snapshot) }
    }
    return summaries
  }
}

/// Reads one column for its summary.
private final class ColumnReader {
  private let column: Int
  private let table = FrequencyTable()
  private var nils = 0
  private var isCollection = false

  init(_ column: Int) { self.column = column }

  func read(_ cluster: ClusterView, _ present: Mask, _ vector: Vector) throws {
    let view = try cluster.column(column)
    nils += (present & view.nulls).count
    let slots = present.andNot(view.nulls)
    guard let first = slots.first else { return }
    let base = cluster.number << 8
    switch view.values {
    case .same: table.add(try Self.key(of: view, at: first), slots.count, at: base | UInt64(first))
    case .dictionary(let codes, let entries): count(codes, entries, slots, base)
    case .text:
      try slots.forEach { slot in table.add(Bytes.hash(try view.text(at: slot)), at: base | UInt64(slot)) }
    case .numbers(let numbers) where numbers.kind == .decimals:
      slots.forEach { table.add(numbers.exact($0).withBytes { Bytes.hash($0) }, at: base | UInt64($0)) }
    case .bits, .uuid:
      try slots.forEach { slot in table.add(try Self.key(of: view, at: slot), at: base | UInt64(slot)) }
    case .numbers:
      try vector.load(view)
      if vector.isInteger {
        let numbers = vector.integers
        slots.forEach { table.add(UInt64(bitPattern: numbers[$0]), at: base | UInt64($0)) }
      } else {
        let numbers = vector.doubles
        slots.forEach { table.add(Self.key(of: numbers[$0]), at: base | UInt64($0)) }
      }
    case .collection: isCollection = true
    }
  }

  /// Counts the entries of a dictionary by their codes.
  private func count(_ codes: UnsafePointer<UInt8>, _ entries: TextBlock, _ slots: Mask, _ base: UInt64) {
    withUnsafeTemporaryAllocation(of: (count: Int, first: Int).self, capacity: 256) { counts in
      counts.initialize(repeating: (0, 0))
      slots.forEach { slot in
        let code = Int(codes[slot])
        if counts[code].count == 0 { counts[code].first = slot }
        counts[code].count += 1
      }
      for code in 0..<min(entries.count, 256) where counts[code].count > 0 {
        table.add(
          Bytes.hash(entries[code]), counts[code].count, at: base | UInt64(counts[code].first))
      }
    }
  }

  /// A Double without the sign of zero, and with one NaN.
  @inline(__always)
  private static func key(of number: Double) -> UInt64 {
    number == 0 ? 0 : number.isNaN ? Double.nan.bitPattern : number.bitPattern
  }

  /// The key of a value in any layout: the same as in the others.
  private static func key(of view: ColumnView, at slot: Int) throws -> UInt64 {
    let value = try view.value(at: slot)
    switch value {
    case .bool(let flag): return flag ? 1 : 0
    case .int(let number): return UInt64(bitPattern: number)
    case .float(let number): return key(of: Double(number))
    case .double(let number): return key(of: number)
    case .date(let instant): return key(of: instant.seconds)
    case .object(let object): return object.number.rawValue
    case .decimal(let number): return number.withBytes { Bytes.hash($0) }
    case .string, .data: return Bytes.hash(try view.text(at: slot))
    case .null, .uuid, .list, .embedded: return UInt64(bitPattern: Int64(value.hashValue))
    }
  }

  func summary(_ entity: StoredEntity, _ count: Int, in snapshot: Snapshot) throws -> ColumnSummary {
    var summary = ColumnSummary(nils: nils)
    if isCollection { return summary }
    summary.distinct = table.distinct
    summary.top = try table.top(count).map { entry in
      let value = try snapshot.cluster(entry.first >> 8, of: entity)?.column(column).value(at: Int(entry.first & 255))
      return (value ?? .null, entry.count)
    }
    return summary
  }
}
