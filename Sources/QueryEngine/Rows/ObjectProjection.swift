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
    let expression: BoundExpression
    /// The entity, if the values are objects.
    let objects: String?
    /// The expression by vectors and the vector it fills; nil if a row is as good.
    let vector: (compiled: VectorExpression, values: Vector)?
  }

  /// With fewer objects in a row of one cluster, each is evaluated on its own.
  private static let fewestTogether = 4

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
      let compiled = try value.gainsFromVectors ? VectorExpression(value, compiler) : nil
      return Column(
        expression: value.prepared, objects: value.objects(of: entity),
        vector: compiled.flatMap { $0.isKernel ? ($0, Vector()) : nil })
    }
    usesVectors = columns.contains { $0.vector != nil }
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
    let byVectors = usesVectors && objects.count >= Self.fewestTogether
    if byVectors, let cluster {
      var wanted = Mask.none
      for object in objects { wanted[Int(truncatingIfNeeded: object & 255)] = true }
      for case let (compiled, values)? in columns.map(\.vector) {
        try context.cancellation.step(CancellationCheck.stepsPerPart)
        try compiled.evaluate(into: values, cluster.view, context, wanted: wanted & cluster.view.present)
      }
    }
    row.cluster = cluster
    for object in objects {
      try context.cancellation.step(1 + columns.count)
      row.object = object
      guard let cluster, cluster.view.present[row.slot] else {
        throw StoreError.corrupted(location: "object \(object), which an index or a cluster named, is not there")
      }
      let values = try columns.map { column in
        let value =
          if byVectors, let (compiled, values) = column.vector {
            values.value(at: row.slot, of: compiled.expression.type)
          } else {
            try column.expression.value(in: row)
          }
        return column.objects.map(value.objects) ?? value
      }
      try context.cancellation.throwIfGivenUp()
      if try !body(values) { return false }
    }
    return true
  }
}

extension BoundExpression {
  /// Whether there is something to compute: a stored property is read from its column either way.
  var isComputed: Bool { column == nil && !isOwn && !isConstant }

  fileprivate var gainsFromVectors: Bool { isComputed && !isRanked && !followsLinksByRow }
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
