/// A dictionary that forgets what was not asked for while many others were.
///
/// Values are of two ages. Those asked for are young; once there are too many young ones they are the old ones, and what
/// was old is forgotten. So nothing is moved or counted when a value is asked for.
struct RecentValues<Key: Hashable & Sendable, Element: Sendable>: Sendable {
  private var young: [Key: Element] = [:]
  private var old: [Key: Element] = [:]
  /// How many there are of each age at most.
  let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  /// How many there are.
  var count: Int { young.count + old.keys.count { young[$0] == nil } }

  /// The value of a key, which is young from now on.
  mutating func value(of key: Key) -> Element? {
    if let known = young[key] { return known }
    guard let known = old[key] else { return nil }
    keep(known, key)
    return known
  }

  /// Keeps a value, in place of the one that the key had.
  mutating func keep(_ value: Element, _ key: Key) {
    if young.count >= capacity {
      old = young
      // It will be as large again.
      young = Dictionary(minimumCapacity: capacity)
    }
    young[key] = value
  }
}
