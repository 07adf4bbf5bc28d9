internal import LMDB
internal import Schema
internal import Values

// Links against their inverses, in both directions, and against the objects they lead to.

extension EntityCheck {
  /// Checks that the inverse contains the links of one object.
  mutating func checkLinks(
    of object: ObjectNumber, _ value: Value, _ index: StoredIndex, _ cursor: Cursor
  ) throws {
    for target in value.targets {
      linkCounts[index.number, default: 0] += 1
      if try !cursor.has(IndexKey.ofTarget(ObjectNumber(target: target)), object.rawValue) {
        tell("missing \(index.number)", "\(inverse(index)) lacks object \(object.rawValue) under number \(target)")
      }
    }
  }

  /// Reports entries of the inverse without a link.
  mutating func tellExcessLinks(_ index: StoredIndex, _ reader: IndexReader) throws {
    try reader.forEachEntry { key, number in
      try step()
      let object = ObjectNumber(number)
      guard let target = IndexKey.target(of: key) else {
        tell("excess \(index.number)", "\(inverse(index)) has a key that is no object's number")
        return true
      }
      guard let mask = present[object.cluster], mask[object.slot] else {
        tell("excess \(index.number)", "\(inverse(index)) has object \(number), which does not exist")
        return true
      }
      guard let view = try snapshot.cluster(object.cluster, of: entity), let column = index.columns.first else {
        return true
      }
      if try !view.column(column).value(at: object.slot).targets.contains(target.target) {
        tell(
          "excess \(index.number)",
          "\(inverse(index)) has object \(number) under number \(target.target), to which it does not link")
      }
      return true
    }
  }

  /// Reports links whose targets do not exist. Every link was already found in its inverse.
  mutating func checkTargets(in checks: [String: EntityCheck]) throws(StoreError) {
    for link in entity.links {
      guard let target = entity.columns[link.column].target, let other = checks[target], !other.isPartial else {
        continue
      }
      try attempt("the inverse of \(link.path)") { (check) throws in
        try check.snapshot.index(link.inverse, of: check.entity).forEachTarget { object, sources in
          try check.step()
          if let mask = other.present[object.cluster], mask[object.slot] { return true }
          for source in sources {
            check.tell(
              "dangling \(link.inverse.number)",
              "\(check.entity.name).\(link.path) of object \(source) leads to \(target) number \(object.target), "
                + "which does not exist")
          }
          return true
        }
      }
    }
  }

  private func inverse(_ index: StoredIndex) -> String { "the inverse of \(entity.name).\(index.index.name)" }
}
