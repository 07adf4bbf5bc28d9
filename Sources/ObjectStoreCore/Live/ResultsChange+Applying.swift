extension ResultsChange {
  /// Does to an array of the objects before what was done to the results: then it has the objects after, in order. Only the
  /// objects that are new or modified are read.
  ///
  /// ```swift
  /// var shown: [Quake] = []
  /// for try await change in results.changes() { try change.apply(to: &shown) }
  /// ```
  ///
  /// The changes are to be applied one after the other, from the initial one on, each before the next one is awaited.
  ///
  /// - Parameter objects: The objects before the change; any for the initial one.
  /// - Throws: `IndexOutOfRange` when the array is not what it was after the change before; then it is left as it is.
  ///   `StoreError` when the store can't be read.
  /// - Complexity: Linear in the length of the array for each object that was deleted, inserted or moved.
  public func apply(to objects: inout [Object]) throws {
    switch self {
    case .initial(let results): objects = try results.objects()
    case .update(let results, _, _, let modifications, _):
      var new = objects
      try rearrange(&new) { try results[$0] }
      for position in modifications {
        guard new.indices.contains(position) else { throw IndexOutOfRange(index: position, count: new.count) }
        new[position] = try results[position]
      }
      objects = new
    }
  }

  /// As `apply(to:)` with objects, for an array of their identities.
  ///
  /// ```swift
  /// var shown: [ObjectID<Quake>] = []
  /// for try await change in results.changes() { try change.apply(to: &shown) }
  /// ```
  ///
  /// - Parameter ids: The identities before the change; any for the initial one.
  /// - Throws: `IndexOutOfRange` when the array is not what it was after the change before; then it is left as it is.
  ///   `StoreError` when the store can't be read.
  /// - Complexity: Linear in the length of the array for each object that was deleted, inserted or moved.
  public func apply(to ids: inout [ObjectID<Object>]) throws {
    switch self {
    case .initial(let results): ids = try results.ids
    case .update(let results, _, let insertions, _, let moves):
      let now = insertions.isEmpty && moves.isEmpty ? [] : try results.ids
      var new = ids
      try rearrange(&new) { position in
        guard now.indices.contains(position) else { throw IndexOutOfRange(index: position, count: now.count) }
        return now[position]
      }
      ids = new
    }
  }

  private func rearrange<Part>(_ parts: inout [Part], _ part: (Int) throws -> Part) throws {
    guard case .update(_, let deletions, let insertions, _, let moves) = self else { return }
    try parts.rearrange(deletions: deletions, insertions: insertions, moves: moves, part)
  }
}

extension Array {
  /// Takes out what went or moved, from the back to the front, and puts in what came or moved, ascending.
  ///
  /// - Parameter part: The new element at a position after the change.
  /// - Throws: `IndexOutOfRange` for a position that the array does not have; the error of `part`.
  package mutating func rearrange(
    deletions: [Int], insertions: [Int], moves: [ResultMove], _ part: (Int) throws -> Element
  ) throws {
    for position in (deletions + moves.map(\.from)).sorted(by: >) {
      guard indices.contains(position) else { throw IndexOutOfRange(index: position, count: count) }
      remove(at: position)
    }
    for position in (insertions + moves.map(\.to)).sorted() {
      guard position <= count else { throw IndexOutOfRange(index: position, count: count) }
      insert(try part(position), at: position)
    }
  }
}
