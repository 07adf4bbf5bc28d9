internal import Storage

/// The objects of a result in order, in chunks of some hundreds, so that finding, inserting and removing an object is
/// fast for any number of objects.
struct OrderedObjects {
  /// The objects, some hundreds each.
  private(set) var chunks: [[ObjectNumber]] = []
  private var counts: [Int] = []
  /// The names of the chunks, in order: a new chunk does not rename the others.
  private var names: [Int] = []
  private var nextName = 0
  /// The name of each object's chunk, if the objects are not sorted by ID.
  private var chunkNames: [ObjectNumber: Int] = [:]
  /// Whether the order is that of the numbers.
  let isAscending: Bool
  private(set) var count = 0

  private static let usual = 512

  init(_ objects: [ObjectNumber], isAscending: Bool) {
    self.isAscending = isAscending
    count = objects.count
    if !isAscending { chunkNames.reserveCapacity(count) }
    for start in stride(from: 0, to: count, by: Self.usual) {
      let chunk = Array(objects[start..<min(start + Self.usual, count)])
      chunks.append(chunk)
      counts.append(chunk.count)
      names.append(nextName)
      if !isAscending { for object in chunk { chunkNames[object] = nextName } }
      nextName += 1
    }
  }

  /// All objects.
  var all: [ObjectNumber] {
    var all: [ObjectNumber] = []
    all.reserveCapacity(count)
    for chunk in chunks { all += chunk }
    return all
  }

  /// The first object; nil if there is none.
  var first: ObjectNumber? { chunks.first?.first }

  /// The object at a valid position.
  subscript(position: Int) -> ObjectNumber {
    let (chunk, offset) = place(position)
    return chunks[chunk][offset]
  }

  /// The position of an object; nil if it is not among the objects.
  func position(of object: ObjectNumber) -> Int? {
    if isAscending {
      let position = insertionPosition(of: object)
      return position < count && self[position] == object ? position : nil
    }
    guard let name = chunkNames[object], let chunk = names.firstIndex(of: name),
      let offset = chunks[chunk].firstIndex(of: object)
    else { return nil }
    return counts[..<chunk].reduce(0, +) + offset
  }

  /// The position at which an object belongs in the order of IDs.
  func insertionPosition(of object: ObjectNumber) -> Int {
    let chunk = Self.first(in: 0..<chunks.count) { (chunks[$0].last ?? object) >= object }
    guard chunk < chunks.count else { return count }
    let offset = Self.first(in: 0..<chunks[chunk].count) { chunks[chunk][$0] >= object }
    return counts[..<chunk].reduce(0, +) + offset
  }

  /// The first position for which `isThere` is true, as it is for all after it.
  static func first(in range: Range<Int>, where isThere: (Int) -> Bool) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if isThere(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func place(_ position: Int) -> (chunk: Int, offset: Int) {
    var offset = position
    for (chunk, count) in counts.enumerated() {
      if offset < count { return (chunk, offset) }
      offset -= count
    }
    return (counts.count, offset)
  }

  mutating func insert(_ object: ObjectNumber, at position: Int) {
    count += 1
    guard !chunks.isEmpty else {
      chunks = [[object]]
      counts = [1]
      names = [nextName]
      if !isAscending { chunkNames[object] = nextName }
      nextName += 1
      return
    }
    var (chunk, offset) = place(position)
    if chunk == chunks.count { (chunk, offset) = (chunk - 1, chunks[chunk - 1].count) }
    chunks[chunk].insert(object, at: offset)
    counts[chunk] += 1
    if !isAscending { chunkNames[object] = names[chunk] }
    if counts[chunk] > 2 * Self.usual { split(chunk) }
  }

  private mutating func split(_ chunk: Int) {
    let tail = Array(chunks[chunk][Self.usual...])
    chunks[chunk].removeLast(tail.count)
    counts[chunk] = chunks[chunk].count
    chunks.insert(tail, at: chunk + 1)
    counts.insert(tail.count, at: chunk + 1)
    names.insert(nextName, at: chunk + 1)
    if !isAscending { for object in tail { chunkNames[object] = nextName } }
    nextName += 1
  }

  mutating func remove(at position: Int) {
    let (chunk, offset) = place(position)
    guard chunk < chunks.count else { return }
    let object = chunks[chunk].remove(at: offset)
    counts[chunk] -= 1
    count -= 1
    if !isAscending { chunkNames[object] = nil }
    guard counts[chunk] == 0 else { return }
    chunks.remove(at: chunk)
    counts.remove(at: chunk)
    names.remove(at: chunk)
  }
}
