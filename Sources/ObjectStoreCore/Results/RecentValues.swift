/// A dictionary that drops values that have not been used recently.
///
/// It has two generations. Used values are young; once there are too many, they become the old generation, and the
/// previous old one is dropped. So reading a value moves or counts nothing.
struct RecentValues<Key: Hashable & Sendable, Element: Sendable>: Sendable {
  private var young: [Key: Element] = [:]
  private var old: [Key: Element] = [:]
  /// The capacity of each generation.
  let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  /// The number of values.
  var count: Int { young.count + old.keys.count { young[$0] == nil } }

  /// The value of a key, which is young from now on.
  mutating func value(of key: Key) -> Element? {
    if let known = young[key] { return known }
    guard let known = old[key] else { return nil }
    keep(known, key)
    return known
  }

  /// Stores a value, and replaces that of the same key.
  mutating func keep(_ value: Element, _ key: Key) {
    if young.count >= capacity {
      old = young
      // It will grow to the same size again.
      young = Dictionary(minimumCapacity: capacity)
    }
    young[key] = value
  }
}
