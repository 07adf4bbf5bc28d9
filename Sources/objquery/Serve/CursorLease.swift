/// How long a cursor may keep its version of the store.
struct CursorLease: Sendable {
  /// Between two pages.
  var unused: Duration
  /// In all.
  var age: Duration { unused * 10 }

  /// How long a cursor of an age may wait for the next request, and what it ends of after that.
  func patience(of age: Duration) -> (Duration, CursorEnding) {
    let left = max(self.age - age, .zero)
    return left < unused ? (left, .old(self.age)) : (unused, .unused(unused))
  }
}
