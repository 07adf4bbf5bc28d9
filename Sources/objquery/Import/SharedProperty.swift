/// A property that several names of the data fill, and which of them counts in a row.
///
/// Among the names that have a value in the row, the one of the highest standing counts, and the others are left out. Two
/// values under names of equal standing make the row bad: neither is dropped by a guess. So the order of names and of rows
/// does not matter.
final class SharedProperty {
  /// How a name of the data leads to a property, from the weakest to the strongest.
  enum Standing: Int {
    /// The name is converted to one that is valid: `Root Mean Square` is `RootMeanSquare`.
    case similar
    /// It is the property's own, whatever its Unicode normal form.
    case own
    /// `--map` says so.
    case mapped
  }

  /// One of the names.
  final class Name {
    let text: String
    let standing: Standing
    unowned let property: SharedProperty
    /// Whether a row had a value under it that was left out.
    fileprivate(set) var isLeftOut = false

    fileprivate init(_ text: String, _ standing: Standing, of property: SharedProperty) {
      self.text = text
      self.standing = standing
      self.property = property
    }

    /// Whether the property is filled from it in the current row.
    var counts: Bool { property.best === self }
  }

  let path: String
  /// Whether the row is an object nested in another, where `--map` has no effect.
  private let isNested: Bool
  private var names: [Name] = []
  /// The name that counts in the current row, and whether it has a value there.
  private var best: Name?
  private var hasValue = false
  /// Another name of the same standing that has a value.
  private var equal: Name?

  init(path: String, isNested: Bool) {
    self.path = path
    self.isNested = isNested
  }

  func add(_ text: String, _ standing: Standing) -> Name {
    let name = Name(text, standing, of: self)
    names.append(name)
    return name
  }

  // MARK: One row

  func begin() { (best, hasValue, equal) = (nil, false, nil) }

  /// Notes that the current row has a field of a name, with a value or nil.
  func meet(_ name: Name, hasValue: Bool) {
    guard hasValue, let best, self.hasValue else {
      if hasValue || best == nil { (best, self.hasValue) = (name, hasValue) }
      return
    }
    if name.standing == best.standing {
      equal = name
    } else if name.standing.rawValue > best.standing.rawValue {
      best.isLeftOut = true
      equal?.isLeftOut = true
      (self.best, equal) = (name, nil)
    } else {
      name.isLeftOut = true
    }
  }

  /// Why the current row is bad: it has two values for the property, and no reason to prefer one.
  var problem: String? {
    guard let best, let equal else { return nil }
    if best.text == equal.text {
      let isSpelledAlike = best.text.unicodeScalars.elementsEqual(equal.text.unicodeScalars)
      return "\(path): the name is there twice" + (isSpelledAlike ? "" : ", in two Unicode normal forms")
    }
    let advice =
      isNested
      ? "leave one of them out"
      : best.standing == .mapped ? "give --map for one of them only" : "--map NAME=\(path) says which of them counts"
    return "\(path): both \(quoted(best.text)) and \(quoted(equal.text)) fill it; \(advice)"
  }

  // MARK: The whole file

  /// A sentence that names the names, those first that count before others.
  var note: String {
    let ordered = names.sorted { $0.standing.rawValue > $1.standing.rawValue }
    let all = "\(path) is filled from \(listed(ordered.map { quoted($0.text) }, between: ", else "))"
    let lost = ordered.filter(\.isLeftOut).map { quoted($0.text) }
    return lost.isEmpty ? all : "\(all); left out in rows with several of them: \(listed(lost))"
  }
}
