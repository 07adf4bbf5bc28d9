/// A growing text, as UTF-8 in its own reusable memory.
///
/// Code that prints many values builds its text here, so that no value needs its own String. It trusts that bytes
/// appended to it are UTF-8.
@usableFromInline package struct TextBytes: ~Copyable {
  /// The number of bytes.
  @usableFromInline package internal(set) var count = 0
  @usableFromInline var start: UnsafeMutablePointer<UInt8>
  @usableFromInline var capacity: Int

  /// Creates an empty text with the given capacity in bytes.
  package init(capacity: Int = 256) {
    self.capacity = max(capacity, 16)
    start = .allocate(capacity: self.capacity)
  }

  deinit { start.deallocate() }

  /// The bytes from an offset on, valid until the text changes.
  @inlinable package func bytes(from place: Int = 0) -> UnsafeBufferPointer<UInt8> { bytes(place..<count) }

  /// The bytes of a part, valid until the text changes.
  @inlinable package func bytes(_ part: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    precondition(part.lowerBound >= 0 && part.upperBound <= count)
    return UnsafeBufferPointer(start: start + part.lowerBound, count: part.count)
  }

  /// A part as a String.
  package func string(_ part: Range<Int>) -> String { String(decoding: bytes(part), as: UTF8.self) }

  // MARK: Growing

  /// Appends the bytes that `body` writes to the given address, with room for `most` bytes; it returns how many it
  /// wrote.
  @inlinable package mutating func append(atMost most: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
    if capacity - count < most { grow(most) }
    let added = body(start + count)
    precondition(added <= most)
    count += added
  }

  @inlinable package mutating func append(_ byte: UInt8) {
    if count == capacity { grow(1) }
    start[count] = byte
    count += 1
  }

  @inlinable package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
    if capacity - count < bytes.count { grow(bytes.count) }
    (start + count).update(from: source, count: bytes.count)
    count += bytes.count
  }

  @inlinable package mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { append($0) } }

  @inlinable package mutating func append(_ text: String) {
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { append($0) }
    if isDone == nil { for byte in text.utf8 { append(byte) } }
  }

  /// Inserts a byte before the text at an offset.
  package mutating func insert(_ byte: UInt8, at place: Int) {
    precondition(place >= 0 && place <= count)
    append(byte)
    (start + place + 1).update(from: start + place, count: count - 1 - place)
    start[place] = byte
  }

  /// Appends a byte several times; never for a count of zero or less.
  package mutating func append(repeating byte: UInt8, count times: Int) {
    guard times > 0 else { return }
    append(atMost: times) { place in
      place.update(repeating: byte, count: times)
      return times
    }
  }

  @usableFromInline mutating func grow(_ more: Int) {
    let larger = max(capacity * 2, count + more)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    moved.update(from: start, count: count)
    start.deallocate()
    (start, capacity) = (moved, larger)
  }

  // MARK: Shrinking

  /// Removes the text from an offset on, and returns it.
  @discardableResult package mutating func removeEnd(from place: Int) -> [UInt8] {
    let end = Array(bytes(from: place))
    count = place
    return end
  }

  /// Removes all text and keeps the memory.
  package mutating func removeAll() { count = 0 }
}
