/// Objects by number, optimised for a single one: the last one used is found without hashing, and a single one needs no
/// dictionary.
struct MostlyOne<Thing: AnyObject> {
  private var latest: (number: UInt32, thing: Thing)?
  /// All objects, if there is more than one.
  private var all: [UInt32: Thing] = [:]

  /// The object with a number.
  subscript(number: UInt32) -> Thing? {
    @inline(__always) mutating get {
      if let latest, latest.number == number { return latest.thing }
      return all.isEmpty ? nil : recalled(number)
    }
    set {
      if let latest, latest.number != number, all.isEmpty { all[latest.number] = latest.thing }
      if !all.isEmpty { all[number] = newValue }
      latest = newValue.map { (number, $0) }
    }
  }

  private mutating func recalled(_ number: UInt32) -> Thing? {
    guard let thing = all[number] else { return nil }
    latest = (number, thing)
    return thing
  }
}
