internal import Glibc
internal import Storage
internal import Values

/// How many objects DISTINCT leaves: as many as there are different values, which the keys of an index tell, or else the
/// values of a few clusters. No choice depends on it, so only who reads the plan has it found out by looking.
extension CandidateBuilder {
  /// About how many different values some of the objects have.
  func distinctCount(of expressions: [BoundExpression], among rows: Double) throws -> Double {
    let quick = rows.squareRoot()
    guard let options = compiler.links?.options, options.namesRejected, rows > 0 else { return quick }
    let all: Double
    if let keys = try keyCount(of: expressions) {
      all = keys
    } else if expressions.allSatisfy({ $0.firstLink == nil }) {
      all = try sampledCount(of: expressions)
    } else {
      return quick
    }
    // Each value has its share of the objects, and is missed if none of them is left.
    let part = min(1, rows / max(1, objectCount))
    return min(rows, max(1, all * (1 - pow(1 - part, max(1, objectCount / max(1, all))))))
  }

  /// How many keys an index has of just these values; nil where there is none.
  private func keyCount(of expressions: [BoundExpression]) throws -> Double? {
    let columns = Set(expressions.compactMap(\.column))
    guard columns.count == expressions.count else { return nil }
    for index in entity.indexes where index.isReadable && !index.isFolded && !index.isInverse {
      if columns != Set(index.columns) || columns.count != index.columns.count { continue }
      return try snapshot.index(index, of: entity).keyEstimate(.all, of: objectCount)
    }
    return nil
  }

  /// How many values there should be, by those of a few clusters: by how many of them are in one cluster only, and how many
  /// in two. Clusters that have nothing in common promise that each of the others has as many values of its own.
  private func sampledCount(of expressions: [BoundExpression]) throws -> Double {
    let scratch = ExecutionContext(snapshot, nil, patience)
    var clusters: [[Value]: Int] = [:]
    var asked = 0.0
    for number in Selectivity.sampled(of: Int(clusterCount)) {
      guard let cluster = try snapshot.cluster(number, of: entity) else { continue }
      asked += 1
      var objects: [UInt64] = []
      cluster.present.forEach { objects.append(number << 8 | UInt64(truncatingIfNeeded: $0)) }
      let rows = try ExpressionEvaluation.values(expressions, of: objects, entity, snapshot, scratch)
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
