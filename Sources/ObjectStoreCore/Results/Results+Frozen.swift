internal import Storage

extension Selection {
  /// The same query, always read in the version that is current now.
  func frozen() throws -> Selection {
    switch source.current {
    case .store(let store):
      return reading(in: .held(HeldSnapshot(try store.file.beginSnapshot(), of: store)))
    case .held(let held): return reading(in: .held(try held.frozen()))
    // Its version is the same as long as it can be read.
    case .snapshot: return self
    case .transaction:
      throw StoreError.unsupported("results of a write cannot be frozen before it commits")
    }
  }
}

extension Results {
  /// The same query, always answered from the version of the store that is current now, whatever is written later.
  ///
  /// ```swift
  /// let before = try store.objects(Quake.self).filter("magnitude > 5").frozen()
  /// try store.write { tx in try tx.deleteAll(Quake.self) }
  /// print(try before.count)   // as before the write
  /// ```
  ///
  /// What is refined from frozen results is frozen too. They may be used from any thread, one at a time. As long as frozen
  /// results or copies of them exist, the store keeps their version, so space that other writes free is not used
  /// again. Within `store.snapshot` and `store.read`, results are of one version already, and end with it.
  ///
  /// - Throws: `StoreError`: `unsupported` in a write, whose version is not committed yet; `finished` for results of an
  ///   observation that has ended; or an error of reading.
  /// - Complexity: Constant: nothing is found or copied.
  public func frozen() throws -> Results { Results(try selection.frozen()) }
}

extension DynamicResults {
  /// The same query, always answered from the version of the store that is current now. See ``Results/frozen()``.
  ///
  /// ```swift
  /// let before = try store.objects("Quake").frozen()
  /// ```
  ///
  /// - Throws: `StoreError` as ``Results/frozen()``; `QueryError` if the query is invalid in that version.
  public func frozen() throws -> DynamicResults { try DynamicResults(try selection.frozen()) }
}
