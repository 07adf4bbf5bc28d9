internal import Storage

/// An object taken out of its position.
typealias TakenObject = (object: ObjectNumber, position: Int)

/// Taking some objects out and putting some in. It takes two steps, since where objects go may depend on those that
/// remain in between.
extension OrderedObjects {
  /// Takes objects out; their positions must be ascending.
  mutating func take(_ taken: [TakenObject]) {
    for (_, position) in taken.reversed() { remove(at: position) }
  }

  /// Puts objects in, in order, each at its position among those that remained. Returns the difference from the order
  /// before `taken` were taken out; of these, those that do not enter again are deleted.
  mutating func put(_ entering: [ObjectNumber], at places: [Int], taken: [TakenObject]) -> ResultsDelta {
    var delta = ResultsDelta()
    let returning = taken.isEmpty ? [] : Set(entering)
    // The old and new positions, relative to the objects that remained.
    var former: [ObjectNumber: (position: Int, gap: Int)] = [:]
    var gaps: [Int: (left: Int, entered: Int)] = [:]
    for (index, (object, position)) in taken.enumerated() {
      guard returning.contains(object) else {
        delta.deletions.append(position)
        continue
      }
      former[object] = (position, position - index)
      gaps[position - index, default: (0, 0)].left += 1
    }
    for gap in places { gaps[gap, default: (0, 0)].entered += 1 }
    for (index, (object, gap)) in zip(entering, places).enumerated() {
      insert(object, at: gap + index)
      guard let former = former[object] else {
        delta.insertions.append(gap + index)
        continue
      }
      // An object between the same two neighbours as before has not moved.
      let isAlone = gaps[gap].map { $0.left == 1 && $0.entered == 1 } ?? false
      if former.gap != gap || !isAlone { delta.moves.append(ResultMove(from: former.position, to: gap + index)) }
    }
    return delta
  }

  /// The position of an object that enters those of a part of `all`, in the order of `all`.
  func entry(of object: ObjectNumber, inOrderOf all: OrderedObjects) -> Int {
    if isAscending { return insertionPosition(of: object) }
    // A part has no objects that `all` lacks.
    let rank = all.position(of: object) ?? all.count
    return Self.first(in: 0..<count) { (all.position(of: self[$0]) ?? all.count) > rank }
  }
}
