/// Memory that conditions use while they look at one cluster, kept from cluster to cluster. One for each thread.
final class Scratch {
  private var vectors: [NumberVector] = []

  /// Lends a vector for the time of `body`.
  func withVector<R>(_ body: (NumberVector) throws -> R) rethrows -> R {
    let vector = vectors.popLast() ?? NumberVector()
    defer { vectors.append(vector) }
    return try body(vector)
  }
}
