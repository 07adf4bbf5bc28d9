/// Unwritten changes of a trigram index.
///
/// New objects have ascending IDs: their positions are encoded immediately, in a stream of blocks for each trigram,
/// which takes little more than two bytes for each position and needs no sorting. All other changes are kept in order
/// and written after the streams, since a new object is changed only after it was added. It does not depend on the
/// tree.
struct TrigramChanges: ~Copyable {
  /// A position that is added or removed out of order.
  struct Edit {
    var trigram: Trigram
    var place: TrigramPlace
    var sequence: UInt32
    var isRemoval: Bool

    static func precedes(_ left: Edit, _ right: Edit) -> Bool {
      if left.trigram != right.trigram { return left.trigram < right.trigram }
      return left.place != right.place ? left.place < right.place : left.sequence < right.sequence
    }
  }

  /// The new positions of one trigram, in order.
  struct Stream {
    let trigram: Trigram
    fileprivate(set) var full: [TrigramBlockWriter] = []
    fileprivate(set) var last = TrigramBlockWriter()

    var blocks: [TrigramBlockWriter] { full + [last] }
  }

  /// The maximum number of edits before they should be written.
  private static let editLimit = 1 << 20
  /// The maximum memory size of the streams.
  private static let streamLimit = 160 << 20

  private(set) var streams: [Stream] = []
  private(set) var edits: [Edit] = []
  /// A hash table of streams by trigram: the stream's position plus 1, or 0. Empty while there are no streams.
  private var table: [UInt32] = []
  /// The object that was last added in order.
  private var latest: UInt64?
  private var memory = 0

  var isEmpty: Bool { streams.isEmpty && edits.isEmpty }

  /// Whether the changes should be written.
  var isFull: Bool { edits.count >= Self.editLimit || memory >= Self.streamLimit }

  /// Adds all trigrams of a new object's string, or removes those of an old one.
  mutating func note(_ text: UnsafeRawBufferPointer, object: UInt64, isRemoval: Bool) {
    let cluster = object >> 8
    let slot = UInt16(truncatingIfNeeded: object & 255) << 8
    let isNext = !isRemoval && latest.map { $0 < object } ?? true
    if isNext { latest = object }
    if !isNext || text.count > TrigramText.shortLength {
      for (trigram, position) in TrigramText.places(in: text) {
        let place = TrigramPlace(cluster: cluster, spot: slot | UInt16(position))
        if isNext { append(trigram, place) } else { edit(trigram, place, isRemoval: isRemoval) }
      }
      return
    }
    TrigramText.forEach(in: text) { trigram, position in
      append(trigram, TrigramPlace(cluster: cluster, spot: slot | UInt16(position)))
    }
  }

  /// Records the difference between two strings of an object.
  mutating func note(from old: UnsafeRawBufferPointer, to new: UnsafeRawBufferPointer, object: UInt64) {
    let before = TrigramText.places(in: old)
    let after = TrigramText.places(in: new)
    let slot = UInt16(truncatingIfNeeded: object & 255) << 8
    func place(_ position: UInt8) -> TrigramPlace { TrigramPlace(cluster: object >> 8, spot: slot | UInt16(position)) }
    var next = 0
    for (trigram, position) in before {
      while next < after.count, after[next] < (trigram, position) {
        edit(after[next].0, place(after[next].1), isRemoval: false)
        next += 1
      }
      if next < after.count, after[next] == (trigram, position) {
        next += 1
      } else {
        edit(trigram, place(position), isRemoval: true)
      }
    }
    for (trigram, position) in after[next...] { edit(trigram, place(position), isRemoval: false) }
  }

  /// Sorts streams and edits in writing order. Nothing may be added afterwards.
  mutating func sort() {
    streams.sort { $0.trigram < $1.trigram }
    edits.sort(by: Edit.precedes)
  }

  /// Forgets all changes.
  mutating func removeAll() {
    streams = []
    edits = []
    table = []
    latest = nil
    memory = 0
  }

  private mutating func edit(_ trigram: Trigram, _ place: TrigramPlace, isRemoval: Bool) {
    edits.append(
      Edit(
        trigram: trigram, place: place, sequence: UInt32(truncatingIfNeeded: edits.count), isRemoval: isRemoval))
  }

  @inline(__always)
  private mutating func append(_ trigram: Trigram, _ place: TrigramPlace) {
    let number = stream(of: trigram)
    if streams[number].last.add(place) { return }
    streams[number].full.append(streams[number].last)
    streams[number].last = TrigramBlockWriter()
    _ = streams[number].last.add(place)
    memory &+= TrigramBlock.limit
  }

  @inline(__always)
  private mutating func stream(of trigram: Trigram) -> Int {
    if table.isEmpty { table = [UInt32](repeating: 0, count: 1 << 8) }
    var bucket = Self.bucket(trigram, table.count)
    while true {
      let number = Int(table[bucket])
      if number == 0 { break }
      if streams[number &- 1].trigram == trigram { return number &- 1 }
      bucket = (bucket &+ 1) & (table.count &- 1)
    }
    return add(Stream(trigram: trigram), bucket)
  }

  @inline(never)
  private mutating func add(_ stream: Stream, _ bucket: Int) -> Int {
    streams.append(stream)
    memory += 160
    table[bucket] = UInt32(truncatingIfNeeded: streams.count)
    if streams.count * 2 > table.count {
      table = [UInt32](repeating: 0, count: table.count * 2)
      for (number, stream) in streams.enumerated() {
        var bucket = Self.bucket(stream.trigram, table.count)
        while table[bucket] != 0 { bucket = (bucket + 1) & (table.count - 1) }
        table[bucket] = UInt32(truncatingIfNeeded: number + 1)
      }
    }
    return streams.count - 1
  }

  @inline(__always)
  private static func bucket(_ trigram: Trigram, _ count: Int) -> Int {
    Int(truncatingIfNeeded: (trigram.rawValue &* 0x9E37_79B9_7F4A_7C15) >> 33) & (count &- 1)
  }
}
