import Foundation

/// What a process wrote to a file and when it synced it, and the files that a power cut could have left.
///
/// Until a sync, the system may have brought any part of what was written to the disk, in any order. A sector of 512
/// bytes is written whole or not at all.
struct RecordedWrites {
  enum Event {
    case write(offset: Int, bytes: ArraySlice<UInt8>)
    case sync
    case rangeSync(Range<Int>)
    case length(Int)
    case mark(Int)
  }

  let start: [UInt8]
  let events: [Event]

  /// Reads a record, and the file it begins with.
  init(log: String) throws {
    start = Array(try Data(contentsOf: URL(filePath: log + ".start")))
    let log = Array(try Data(contentsOf: URL(filePath: log)))
    var events: [Event] = []
    var place = 0
    func number() throws -> Int {
      guard place + 8 <= log.count else { throw CocoaError(.fileReadCorruptFile) }
      defer { place += 8 }
      return Int(log[place..<place + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
    while place < log.count {
      let (kind, first, second) = (try number(), try number(), try number())
      switch kind {
      case 1:
        events.append(.write(offset: first, bytes: log[place..<place + second]))
        place += second
      case 2: events.append(.sync)
      case 3: events.append(.rangeSync(first..<first + second))
      case 4: events.append(.length(first))
      case 5: events.append(.mark(first))
      default: throw CocoaError(.fileReadCorruptFile)
      }
    }
    self.events = events
  }

  /// A file that a power cut could have left.
  struct Image {
    var bytes: [UInt8]
    /// The last mark before the cut.
    var mark = 0
  }

  /// Cuts the power before the event at a position. A write that is not synced yet is there, missing or torn.
  ///
  /// - Parameter ignoringSyncs: As if nothing had ever been synced.
  func cut(before end: Int, ignoringSyncs: Bool = false, using random: inout some RandomNumberGenerator) -> Image {
    var image = Image(bytes: start)
    var pending: [(offset: Int, bytes: ArraySlice<UInt8>)] = []
    for event in events[..<end] {
      switch event {
      case .write(let offset, let bytes): pending.append((offset, bytes))
      case .sync:
        if ignoringSyncs { continue }
        for write in pending { image.apply(write.bytes, at: write.offset) }
        pending = []
      case .rangeSync(let range):
        if ignoringSyncs { continue }
        for write in pending where range.contains(write.offset) { image.apply(write.bytes, at: write.offset) }
        pending.removeAll { range.contains($0.offset) }
      case .length(let length):
        // It is kept with the file's name and size, which are as they were or as they are.
        image.bytes += [UInt8](repeating: 0, count: max(0, length - image.bytes.count))
        image.bytes.removeLast(image.bytes.count - length)
      case .mark(let number): image.mark = number
      }
    }
    tear(pending, onto: &image, using: &random)
    return image
  }

  private func tear(
    _ pending: [(offset: Int, bytes: ArraySlice<UInt8>)], onto image: inout Image,
    using random: inout some RandomNumberGenerator
  ) {
    // Mostly all, mostly nothing, or half of it: in whole writes, or in sectors.
    let shares: [Double] = [0, 0.1, 0.5, 0.9, 1]
    let share = shares.randomElement(using: &random) ?? 0.5
    let isTorn = Bool.random(using: &random)
    for write in pending {
      if !isTorn {
        if Double.random(in: 0..<1, using: &random) < share { image.apply(write.bytes, at: write.offset) }
        continue
      }
      var offset = write.offset
      while offset < write.offset + write.bytes.count {
        let next = min(offset / 512 * 512 + 512, write.offset + write.bytes.count)
        if Double.random(in: 0..<1, using: &random) < share {
          let first = write.bytes.startIndex - write.offset
          image.apply(write.bytes[first + offset..<first + next], at: offset)
        }
        offset = next
      }
    }
  }
}

extension RecordedWrites.Image {
  /// Writes bytes; between them and an earlier end there are zeros.
  fileprivate mutating func apply(_ new: ArraySlice<UInt8>, at offset: Int) {
    if bytes.count < offset + new.count {
      bytes += [UInt8](repeating: 0, count: offset + new.count - bytes.count)
    }
    bytes.replaceSubrange(offset..<offset + new.count, with: new)
  }
}
