internal import Storage

/// Aggregates many rows to a small result, on several threads at once.
///
/// The result must not depend on which thread consumed which row.
protocol RowReduction: AnyObject {
  /// Consumes the objects of a row. Returns false to leave the row to the caller's thread, which can read more.
  func take(_ row: Int, _ mask: Mask, _ thread: Int) -> Bool
}
