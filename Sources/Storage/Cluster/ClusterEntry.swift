import Schema

/// An entry of a cluster's directory, read field by field.
struct ClusterEntry {
  let number: UInt32
  let encoding: UInt8
  let type: UInt8
  let flags: ChunkFlags
  let place: Int
  let length: Int
  let checksum: UInt64
  let nullCount: Int
  let minimum: UInt64
  let maximum: UInt64
  private let isReservedZero: Bool

  @inline(__always) init(_ entry: UnsafeRawPointer) {
    typealias Entry = ClusterFormat.Entry
    number = entry.load(fromByteOffset: Entry.number, as: UInt32.self)
    encoding = entry.load(fromByteOffset: Entry.encoding, as: UInt8.self)
    type = entry.load(fromByteOffset: Entry.type, as: UInt8.self)
    flags = ChunkFlags(rawValue: entry.load(fromByteOffset: Entry.flags, as: UInt16.self))
    place = Int(entry.load(fromByteOffset: Entry.place, as: UInt32.self))
    length = Int(entry.load(fromByteOffset: Entry.length, as: UInt32.self))
    checksum = entry.load(fromByteOffset: Entry.checksum, as: UInt64.self)
    nullCount = Int(entry.load(fromByteOffset: Entry.nullCount, as: UInt16.self))
    minimum = entry.load(fromByteOffset: Entry.minimum, as: UInt64.self)
    maximum = entry.load(fromByteOffset: Entry.maximum, as: UInt64.self)
    isReservedZero =
      entry.load(fromByteOffset: Entry.reserved, as: UInt16.self) == 0
      && entry.load(fromByteOffset: Entry.reserved + 2, as: UInt32.self) == 0
  }

  /// Whether the column has collections; nil if no object has a value.
  @inline(__always) var holdsCollections: Bool? {
    encoding == ChunkEncoding.absent.rawValue
      ? nil : encoding == ChunkEncoding.collection.rawValue || encoding == ChunkEncoding.sameCollection.rawValue
  }

  /// Whether the entry is consistent and lies within the cluster, with its chunk after the directory.
  func isSound(
    in bytes: UnsafeRawBufferPointer, directoryLength: Int, entriesEnd: Int, _ present: Mask
  ) -> Bool {
    guard let encoding = ChunkEncoding(rawValue: encoding), isReservedZero, flags.isSubset(of: .known),
      let type = ScalarType(code: type), encoding.suits(type), nullCount <= present.count,
      flags.contains(.nulls) ? nullCount > 0 : nullCount == 0 || encoding == .absent,
      !flags.contains(.outOfLine) || encoding == .text && type != .decimal || encoding == .collection,
      !flags.contains(.keyed) || encoding.isCollection, length & 7 == 0
    else { return false }
    if encoding == .absent { return length == 0 && flags.isEmpty && nullCount == present.count }
    if flags.contains(.elsewhere) {
      guard place == 0 else { return false }
    } else {
      guard place >= directoryLength, place & 7 == 0, place <= bytes.count, length <= bytes.count - place
      else { return false }
    }
    if encoding.isCollection { return !flags.contains(.range) }
    // Decimals proper have no range.
    if case .decimals = encoding.form, flags.contains(.nan) || flags.contains(.range) == (type == .decimal) {
      return false
    }
    return isRangeSound(type, in: bytes, entriesEnd: entriesEnd, directoryLength: directoryLength)
  }

  private func isRangeSound(
    _ type: ScalarType, in bytes: UnsafeRawBufferPointer, entriesEnd: Int, directoryLength: Int
  ) -> Bool {
    guard flags.contains(.range) else { return !type.isInteger }
    switch type {
    case .int8, .int16, .int32, .int:
      let low = Int64(bitPattern: minimum), high = Int64(bitPattern: maximum)
      return low <= high && type.integerRange.contains(low) && type.integerRange.contains(high)
    case .bool: return minimum <= maximum && maximum <= 1
    case .float:
      guard let low = UInt32(exactly: minimum), let high = UInt32(exactly: maximum) else { return false }
      return Float(bitPattern: low) <= Float(bitPattern: high)
    case .double, .date: return Double(bitPattern: minimum) <= Double(bitPattern: maximum)
    case .string:
      return [minimum, maximum].allSatisfy { reference in
        let place = Int(reference & 0xFFFF_FFFF), length = Int(reference >> 32)
        return place >= entriesEnd && place <= directoryLength && length <= directoryLength - place
      }
    case .uuid, .data, .decimal: return false
    }
  }
}

extension ChunkEncoding {
  /// Whether the encoding is valid for a type.
  func suits(_ type: ScalarType) -> Bool {
    switch form {
    case .absent, .same, .collection, .sameCollection: true
    case .bits: type == .bool
    case .numbers(let layout): layout.suits(type)
    case .decimals(let layout): layout.suits(decimalsOf: type)
    case .uuid: type == .uuid
    case .dictionary, .text: type.isKeptAsBytes
    }
  }
}

extension ScalarType {
  /// The type of that number in a file.
  init?(code: UInt8) {
    switch code {
    case 1: self = .bool
    case 2: self = .int8
    case 3: self = .int16
    case 4: self = .int32
    case 5: self = .int
    case 6: self = .float
    case 7: self = .double
    case 8: self = .string
    case 9: self = .date
    case 10: self = .uuid
    case 11: self = .data
    case 12: self = .decimal
    default: return nil
    }
  }
}
