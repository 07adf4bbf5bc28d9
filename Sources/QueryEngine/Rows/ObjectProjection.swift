internal import Storage
internal import Values

/// The values of a list of expressions for objects, as SELECT and SECTIONS show them.
///
/// Objects that follow each other within one cluster are evaluated together, by vectors; an object on its own, as in the
/// order of SORT, is a single row, for which filling vectors would cost more than it saves. It does not know why the
/// objects come in their order.
struct ObjectProjection {
  /// An expression, and how its values are shown.
  private struct Column {
    let values: ExpressionValues
    /// The entity, if the values are objects.
    let objects: String?
  }

  private let columns: [Column]
  private let usesVectors: Bool
  private let clusters: OpenClusters
  private let context: ExecutionContext
  /// The object being read, one for all of them.
  private let row: ObjectRow

  init(
    _ values: [BoundExpression], _ compiler: FilterCompiler, _ snapshot: Snapshot, _ cancellation: CancellationCheck,
    _ metrics: ExecutionMetrics? = nil
  ) throws {
    let entity = compiler.entity
    columns = try values.map { value in
      try cancellation.step(CancellationCheck.stepsPerPart)
      return Column(values: try ExpressionValues(value, compiler), objects: value.objects(of: entity))
    }
    usesVectors = columns.contains(where: \.values.hasVector)
    clusters = OpenClusters(entity, snapshot)
    context = ExecutionContext(snapshot, metrics, cancellation)
    row = ObjectRow(context)
  }

  /// Calls `body` with the values of each object in order, until it returns false.
  func forEach(_ objects: some Sequence<UInt64>, _ body: ([Value]) throws -> Bool) throws {
    var together: [UInt64] = []
    for object in objects {
      if let first = together.first, first >> 8 != object >> 8 || together.count == Mask.slotCount {
        if try !read(together, body) { return }
        together.removeAll(keepingCapacity: true)
      }
      together.append(object)
    }
    _ = try read(together, body)
  }

  /// Reads objects of one cluster. Returns false if `body` wants no more.
  private func read(_ objects: [UInt64], _ body: ([Value]) throws -> Bool) throws -> Bool {
    guard let first = objects.first else { return true }
    let cluster = try clusters.cluster(first >> 8)
    let byVectors = usesVectors && objects.count >= ExpressionValues.fewestTogether
    if byVectors, let cluster {
      var wanted = Mask.none
      for object in objects { wanted[Int(truncatingIfNeeded: object & 255)] = true }
      wanted &= cluster.view.present
      for column in columns { try column.values.fill(cluster.view, context, wanted: wanted) }
    }
    row.cluster = cluster
    for object in objects {
      try context.cancellation.step(1 + columns.count)
      row.object = object
      guard let cluster, cluster.view.present[row.slot] else {
        throw StoreError.corrupted(location: "object \(object), which an index or a cluster named, is not there")
      }
      let values = try columns.map { column in
        let value = try column.values.value(at: row.slot, in: row, isFilled: byVectors)
        return column.objects.map(value.objects) ?? value
      }
      try context.cancellation.throwIfGivenUp()
      if try !body(values) { return false }
    }
    return true
  }
}

/// One object of a cluster, which provides its values to expressions.
private final class ObjectRow: RowValues {
  var cluster: OpenCluster?
  var object: UInt64 = 0
  let linked: LinkedObjects?
  let cancellation: CancellationCheck?

  init(_ context: ExecutionContext) {
    linked = context.linked
    cancellation = context.cancellation
  }

  var slot: Int { Int(truncatingIfNeeded: object & 255) }

  var own: Value { .int(Int64(bitPattern: object)) }

  func value(_ column: Int) throws -> Value { try cluster?.value(column, at: slot) ?? .null }

  func element(_ column: Int, _ place: Int) throws -> Value {
    try cluster?.column(column).element(at: slot, place) ?? .null
  }
}
