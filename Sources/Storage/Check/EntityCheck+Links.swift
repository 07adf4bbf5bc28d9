internal import Values

// The objects that links lead to.

extension EntityCheck {
  /// Reports links whose targets do not exist. Every link was already found in its inverse.
  mutating func checkTargets(in checks: [String: EntityCheck]) throws(StoreError) {
    for link in entity.links {
      guard let target = entity.columns[link.column].target, let other = checks[target], !other.isPartial else {
        continue
      }
      try attempt("the inverse of \(link.path)", of: link.inverse) { (check) throws in
        try check.snapshot.index(link.inverse, of: check.entity).forEachTarget { object, sources in
          try check.step()
          if let mask = other.present[object.cluster], mask[object.slot] { return true }
          for source in sources {
            check.report(
              "dangling \(link.inverse.number)",
              "\(check.entity.name).\(link.path) of object \(source) leads to \(target) number \(object.target), "
                + "which does not exist")
          }
          return true
        }
      }
    }
  }
}
