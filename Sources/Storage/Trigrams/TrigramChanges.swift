/// Changes of a trigram index that were made and not yet written.
///
/// New objects come with ascending numbers: their places are encoded right away, a stream of blocks for each trigram,
/// which takes little more than two bytes a place and needs no sorting. Everything else is kept as it came, and is
/// written after the streams: what happens to an object that is new happens after it came.
/// It does not know the tree.
struct TrigramChanges: ~Copyable {
  /// A place that is added or removed out of order.
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

  /// The new places of one trigram, in order.
  struct Stream {
    let trigram: Trigram
    fileprivate(set) var full: [TrigramBlockWriter] = []
    fileprivate(set) var last = TrigramBlockWriter()

    var blocks: [TrigramBlockWriter] { full + [last] }
  }

  /// How many edits are kept before they are better written.
  private static let editLimit = 1 << 20
  /// How much memory streams may take.
  private static let streamLimit = 160 << 20

  private(set) var streams: [Stream] = []
  private(set) var edits: [Edit] = []
  /// Places of streams by trigram, plus one; 0 where there is none. Empty as long as there are no streams.
  private var table: [UInt32] = []
  /// The object that was last added in order.
  private var latest: UInt64?
  private var memory = 0

  var isEmpty: Bool { streams.isEmpty && edits.isEmpty }

  /// Whether it is time to write them.
  var isFull: Bool { edits.count >= Self.editLimit || memory >= Self.streamLimit }

  /// Adds all trigrams of the text of a new object, or takes those of one away.
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

  /// Notes what is different between two texts of an object.
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

  /// Brings streams and edits in the order in which they are written. Nothing may be added after this.
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
