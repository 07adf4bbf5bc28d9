internal import Storage

/// What makes little of many rows, on several threads at once.
///
/// What comes out must not depend on which thread took which row.
protocol RowReduction: AnyObject {
  /// Takes the objects of a row in. False leaves them to the caller's thread, which has more to read them by.
  func take(_ row: Int, _ mask: Mask, _ thread: Int) -> Bool
}
