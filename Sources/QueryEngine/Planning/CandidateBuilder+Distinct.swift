internal import Glibc
internal import Storage
internal import Values

/// Estimates how many objects DISTINCT leaves: the number of distinct values, from the keys of an index or else from
/// the values of a few clusters. No choice depends on the estimate, so only EXPLAIN samples.
extension CandidateBuilder {
  /// Estimates the number of distinct values among some of the objects.
  func distinctCount(of expressions: [BoundExpression], among rows: Double) throws -> Double {
    let quick = Self.quickDistinctCount(among: rows)
    guard let options = compiler.links?.options, options.namesRejected, rows > 0 else { return quick }
    let all: Double
    if let keys = try keyCount(of: expressions) {
      all = keys
    } else if expressions.allSatisfy({ $0.firstLink == nil }) {
      all = try sampledCount(of: expressions)
    } else {
      return quick
    }
    // Assumes that each value belongs to equally many objects; it disappears if none of them is left.
    let part = min(1, rows / max(1, objectCount))
    return min(rows, max(1, all * (1 - pow(1 - part, max(1, objectCount / max(1, all))))))
  }

  /// The number of distinct values among some rows if nothing else is known.
  static func quickDistinctCount(among rows: Double) -> Double { rows.squareRoot() }

  /// The number of keys of an index over exactly these columns; nil if there is no such index.
  private func keyCount(of expressions: [BoundExpression]) throws -> Double? {
    let columns = Set(expressions.compactMap(\.column))
    guard columns.count == expressions.count else { return nil }
    for index in entity.indexes where index.isReadable && index.hasValueKeys {
      if columns != Set(index.columns) || columns.count != index.columns.count { continue }
      return try snapshot.index(index, of: entity).keyEstimate(.all, of: objectCount)
    }
    return nil
  }

  /// Estimates the number of distinct values from a few clusters: from how many values occur in one cluster only, and
  /// how many in two. If the clusters share no value, every other cluster is assumed to have as many values of its own.
  private func sampledCount(of expressions: [BoundExpression]) throws -> Double {
    let context = ExecutionContext(snapshot, nil, cancellation)
    var clusters: [[Value]: Int] = [:]
    var asked = 0.0
    for number in Selectivity.sampled(of: Int(clusterCount)) {
      guard let cluster = try snapshot.cluster(number, of: entity) else { continue }
      asked += 1
      var objects: [UInt64] = []
      cluster.present.forEach { objects.append(number << 8 | UInt64(truncatingIfNeeded: $0)) }
      let rows = try ExpressionEvaluation.values(expressions, of: objects, entity, snapshot, context)
      for values in Set(rows.map { $0.map(DistinctKey.of) }) { clusters[values, default: 0] += 1 }
    }
    guard asked > 0 else { return 1 }
    let seen = Double(clusters.count)
    let once = Double(clusters.values.count { $0 == 1 })
    let twice = Double(clusters.values.count { $0 == 2 })
    let unseen = once * max(0, once - 1) / (2 * (twice + 1))
    return min(objectCount, seen + min(unseen, once * max(0, clusterCount / asked - 1)))
  }
}
