internal import Storage

/// Numbers texts in the order in which they are met, by their bytes.
///
/// The bytes are kept one text after another. It does not know what the bytes mean.
struct TextNumbers {
  private var bytes: [UInt8] = []
  /// Where each text begins, and the end of the last.
  private var offsets = [0]
  /// The number and hash at each place, the number one more than it is; 0 where there is none.
  private var places: [(number: UInt32, hash: UInt32)] = Array(repeating: (0, 0), count: 64)

  /// How many texts.
  var count: Int { offsets.count - 1 }

  /// The number of a text.
  mutating func number(of text: UnsafeRawBufferPointer) -> UInt32 {
    let hash = Bytes.hash(text)
    let (found, place) = find(text, hash)
    if let found { return found }
    bytes.append(contentsOf: text)
    offsets.append(bytes.count)
    places[place] = (UInt32(truncatingIfNeeded: count), UInt32(truncatingIfNeeded: hash &>> 32))
    if count * 2 > places.count { grow() }
    return UInt32(truncatingIfNeeded: count - 1)
  }

  /// Whether a text has a number.
  func contains(_ text: UnsafeRawBufferPointer) -> Bool { find(text, Bytes.hash(text)).number != nil }

  /// The number of a text with a hash; nil where it has none, and the place for it.
  @inline(__always)
  private func find(_ text: UnsafeRawBufferPointer, _ hash: UInt64) -> (number: UInt32?, place: Int) {
    let short = UInt32(truncatingIfNeeded: hash &>> 32)
    var place = Int(truncatingIfNeeded: hash) & (places.count &- 1)
    while places[place].number != 0 {
      let number = Int(places[place].number) &- 1
      if places[place].hash == short, isText(number, text) { return (UInt32(truncatingIfNeeded: number), place) }
      place = (place &+ 1) & (places.count &- 1)
    }
    return (nil, place)
  }

  /// The bytes of a text, while `body` runs.
  func withText<R>(_ number: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[offsets[number]..<offsets[number + 1]])) }
  }

  private func isText(_ number: Int, _ text: UnsafeRawBufferPointer) -> Bool {
    withText(number) { Bytes.areEqual($0, text) }
  }

  private mutating func grow() {
    var larger: [(number: UInt32, hash: UInt32)] = Array(repeating: (0, 0), count: places.count * 4)
    for number in 0..<count {
      let hash = withText(number, Bytes.hash)
      var place = Int(truncatingIfNeeded: hash) & (larger.count &- 1)
      while larger[place].number != 0 { place = (place &+ 1) & (larger.count &- 1) }
      larger[place] = (UInt32(truncatingIfNeeded: number + 1), UInt32(truncatingIfNeeded: hash &>> 32))
    }
    places = larger
  }
}

extension Bytes {
  /// Another number in each process, so that nobody can choose texts that all have the same hash.
  private static let seed = UInt64.random(in: 0 ... .max)

  /// A word that tells most texts apart.
  static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
    var hash = seed ^ UInt64(text.count)
    func mix(_ word: UInt64) {
      let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
      hash = product.high ^ product.low
    }
    var place = 0
    while place &+ 8 <= text.count {
      mix(text.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place &+= 8
    }
    var rest: UInt64 = 0
    while place < text.count {
      rest = rest &<< 8 | UInt64(text[place])
      place &+= 1
    }
    mix(rest)
    return hash
  }
}
