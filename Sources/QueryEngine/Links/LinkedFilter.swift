/// A filter on linked objects, with what the planner knows of it.
struct LinkedFilter {
  var filter: any Filter
  /// The cost of finding its sets, in nanoseconds.
  var setup: Double
  /// The cost of evaluating one object by itself, in nanoseconds; nil if that is not allowed.
  var perObject: Double?
  /// The estimated number of linked objects read for one object by itself.
  var linkedObjects = 0.0
  /// The link column and the only targets whose sources can pass; nil if an object without a target can pass.
  var targets: (column: Int, set: SemijoinSet)?

  /// The filter for the objects that do not pass.
  var negated: LinkedFilter {
    LinkedFilter(filter: NotFilter(filter), setup: setup, linkedObjects: linkedObjects)
  }
}
