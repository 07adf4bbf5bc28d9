internal import Storage

/// An index that may be of use to a query, and what it says of the query's predicates.
struct IndexWay {
  let access: IndexAccess
  let reader: IndexReader
  /// The ranges that answer predicates; nil where it answers none, and may only have their order.
  let range: IndexRange?
  /// How many objects those ranges find, as far as that was found out in a bounded number of steps; whether that is all.
  let counted: (count: Int, isWhole: Bool)?
}
