internal import Storage
internal import Values

/// A section of observed results. It is the same object in each version in which there are objects of its key.
final class TrackedSection {
  let key: Value
  /// The objects, in the order of the results.
  var objects: OrderedObjects

  init(_ key: Value, _ objects: [ObjectNumber], isAscending: Bool) {
    self.key = key
    self.objects = OrderedObjects(objects, isAscending: isAscending)
  }

  var observed: ObservedSection { (key, objects.all) }
}

/// The objects that commits may have changed for observed results, if each can be tested alone.
struct TouchedObjects {
  /// All of them, ascending.
  var objects: [ObjectNumber] = []
  /// Those that are among the results, in their order.
  var found: [ObjectNumber] = []
  /// Those whose position may have changed.
  var reordered: Set<ObjectNumber> = []
  /// Those whose section may have changed.
  var rekeyed: Set<ObjectNumber> = []
}
