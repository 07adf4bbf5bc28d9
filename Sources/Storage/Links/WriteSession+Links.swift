internal import Schema
internal import Values

extension WriteSession {
  /// Throws if a link made in this write leads to an object that does not exist. Everything must be written before.
  ///
  /// Only new links are checked, a cluster of their targets at a time.
  func judgeLinks(of writer: EntityWriter) throws(StoreError) {
    for case let index as InverseIndexWriter in writer.indexes where !index.newTargets.isEmpty {
      let columns = index.index.columns.map { writer.entity.columns[$0] }
      guard let column = columns.first, let target = column.target.flatMap({ schema.entity(named: $0) }) else {
        throw .corrupted(location: "the link \(index.index.index.name) of \(writer.entity.name) leads to no entity")
      }
      let snapshot = Snapshot(transaction: transaction, catalog: catalog, path: path)
      var cluster: (number: UInt64, present: Mask)?
      let dangling = try index.dangling(transaction) { (object) throws(StoreError) in
        if let cluster, cluster.number == object.cluster { return cluster.present[object.slot] }
        let present = try snapshot.cluster(object.cluster, of: target)?.present ?? .none
        cluster = (object.cluster, present)
        return present[object.slot]
      }
      if let (source, missing) = dangling {
        throw .danglingLink(
          entity: writer.entity.name, object: source, path: column.path, target: target.name, missing: missing)
      }
    }
  }
}
