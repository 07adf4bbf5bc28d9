import Foundation

/// The earthquakes as arrays in memory, one a property: what a loop that nothing can beat goes over.
///
/// Numbers are of the types that the model declares, with NaN for a nil magnitude. Texts that are searched lie one after
/// another, each ended by 0xFF, as the C library likes it best.
struct Columns {
  let magnitudes: [Double]
  let depths: [Double]
  let times: [Double]
  let significances: [Int]
  let types: [String]
  let places: Texts
  /// The places in lower case: somebody who searches so keeps them so.
  let lowerPlaces: Texts

  init(_ quakes: [QuakeRow]) {
    magnitudes = quakes.map { $0.magnitude ?? .nan }
    depths = quakes.map(\.depth)
    times = quakes.map(\.time.timeIntervalSinceReferenceDate)
    significances = quakes.map(\.significance)
    types = quakes.map(\.type)
    places = Texts(quakes.map(\.place))
    lowerPlaces = Texts(quakes.map { $0.place?.lowercased() })
  }
}

/// Texts that lie one after another, each ended by 0xFF; nil is one that is empty.
struct Texts {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []

  init(_ texts: some Sequence<String?>) {
    for text in texts {
      if let text { bytes += text.utf8 }
      ends.append(bytes.count)
      bytes.append(0xFF)
    }
    bytes.append(0)
  }

  /// How many contain the needle: as fast as the C library searches.
  func count(containing needle: String) -> Int {
    withText { text in
      var place = text
      var count = 0
      while let hit = strstr(place, needle) {
        count += 1
        guard let next = strchr(hit, 0xFF) else { break }
        place = UnsafePointer(next) + 1
      }
      return count
    }
  }

  /// Whether one contains the needle.
  func contains(_ needle: String, at index: Int) -> Bool {
    let (start, end, length) = (index == 0 ? 0 : ends[index - 1] + 1, ends[index], needle.utf8.count)
    guard let first = needle.utf8.first else { return true }
    return withText { text in
      var place = start
      while place + length <= end, let hit = memchr(text + place, Int32(first), end - length + 1 - place) {
        if memcmp(hit, needle, length) == 0 { return 1 }
        place = UnsafeRawPointer(hit) - UnsafeRawPointer(text) + 1
      }
      return 0
    } == 1
  }

  /// How many end with a text.
  func count(endingWith suffix: String) -> Int {
    let length = suffix.utf8.count
    return withText { text in
      var (start, count) = (0, 0)
      for end in ends {
        if end - start >= length, memcmp(text + (end - length), suffix, length) == 0 { count += 1 }
        start = end + 1
      }
      return count
    }
  }

  private func withText(_ body: (UnsafePointer<CChar>) -> Int) -> Int {
    bytes.withUnsafeBytes { bytes in bytes.assumingMemoryBound(to: CChar.self).baseAddress.map(body) ?? 0 }
  }
}

extension Columns {
  /// The ten greatest magnitudes, the first of those that are equal first; nil is the least.
  func strongest(_ count: Int) -> [Int64] {
    var best: [(magnitude: Double, index: Int)] = []
    for (index, magnitude) in magnitudes.enumerated() where !magnitude.isNaN {
      if best.count == count, let least = best.last, magnitude <= least.magnitude { continue }
      let place = best.firstIndex { $0.magnitude < magnitude } ?? best.count
      best.insert((magnitude, index), at: place)
      if best.count > count { best.removeLast() }
    }
    return best.map { Int64($0.index + 1) }
  }
}
