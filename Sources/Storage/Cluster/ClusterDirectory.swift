import CKernels
import LMDB
import Schema

/// The validated header and directory of a cluster.
///
/// It does not read chunks; see `ClusterView.column(_:)`.
struct ClusterDirectory {
  let bytes: UnsafeRawBufferPointer
  let columnCount: Int
  let present: Mask
  /// The directory's checksum, which differs between any two versions of a cluster.
  let version: UInt64

  typealias Header = ClusterFormat.Header
  typealias Entry = ClusterFormat.Entry

  @inline(__always)
  init(_ given: UnsafeRawBufferPointer, number: UInt64, context: ClusterContext) throws(StoreError) {
    guard given.count >= ClusterFormat.headerSize, let start = given.baseAddress else {
      throw context.damage(number, "\(given.count) bytes are too few for a cluster")
    }
    // Values of a multiple of eight bytes under keys of eight bytes are always aligned to eight bytes in an LMDB page.
    // Other bytes are copied.
    let bytes = UInt(bitPattern: start) & 7 == 0 ? given : context.keep(given)
    self.bytes = bytes
    columnCount = Int(bytes.loadUnchecked(Header.columnCount, as: UInt16.self))
    present = Mask(
      bytes.loadUnchecked(Header.presence, as: UInt64.self), bytes.loadUnchecked(Header.presence + 8, as: UInt64.self),
      bytes.loadUnchecked(Header.presence + 16, as: UInt64.self),
      bytes.loadUnchecked(Header.presence + 24, as: UInt64.self))
    version = bytes.loadUnchecked(Header.checksum, as: UInt64.self)
    guard context.validated.contains(cluster: number, version: version, item: 0),
      Int(bytes.loadUnchecked(Header.totalLength, as: UInt32.self)) == bytes.count,
      ClusterFormat.headerSize + columnCount * ClusterFormat.entrySize <= bytes.count
    else {
      try validate(number, context)
      context.entity.validated.insert(cluster: number, version: version, item: 0)
      return
    }
  }

  var transaction: UInt64 { bytes.loadUnchecked(Header.transaction, as: UInt64.self) }

  /// The start of the cluster's bytes. `init` refuses bytes without an address.
  @inline(__always) var start: UnsafeRawPointer { bytes.baseAddress.unsafelyUnwrapped }

  /// The entry at `position`, which is below `columnCount`.
  @inline(__always) func entry(_ position: Int) -> UnsafeRawPointer {
    start + (ClusterFormat.headerSize &+ position &* ClusterFormat.entrySize)
  }

  /// The position of a column's entry; `guess` is tried first.
  @inline(__always) func position(ofColumn number: UInt32, guess: Int) -> Int? {
    if guess < columnCount, entry(guess).load(fromByteOffset: Entry.number, as: UInt32.self) == number {
      return guess
    }
    return search(number)
  }

  /// Prefetches the header and the first entries of a cluster that will be opened soon.
  @inline(__always) static func prefetch(_ start: UnsafeRawPointer) {
    for line in 0..<8 { os_prefetch(start + line &* 64) }
  }

  private func search(_ number: UInt32) -> Int? {
    var position = 0
    while position < columnCount {
      if entry(position).load(fromByteOffset: Entry.number, as: UInt32.self) == number { return position }
      position += 1
    }
    return nil
  }

  private func validate(_ number: UInt64, _ context: ClusterContext) throws(StoreError) {
    guard bytes.loadUnchecked(Header.magic, as: UInt32.self) == ClusterFormat.magic else {
      throw context.damage(number, "this is not a cluster")
    }
    let format = bytes.loadUnchecked(Header.version, as: UInt16.self)
    guard format == ClusterFormat.version else {
      throw context.damage(number, "format \(format) of clusters is unknown")
    }
    let length = Int(bytes.loadUnchecked(Header.directoryLength, as: UInt32.self))
    let entriesEnd = ClusterFormat.headerSize + columnCount * ClusterFormat.entrySize
    guard Int(bytes.loadUnchecked(Header.totalLength, as: UInt32.self)) == bytes.count, length <= bytes.count,
      entriesEnd <= length, length & 7 == 0
    else { throw context.damage(number, "its length is wrong") }
    let isIntact = Checksum.fits(
      UnsafeRawBufferPointer(rebasing: bytes[Header.entity..<length]), version,
      seed: bytes.loadUnchecked(0, as: UInt64.self))
    guard isIntact else { throw context.damage(number, "the checksum of its directory is wrong") }
    guard bytes.loadUnchecked(Header.entity, as: UInt32.self) == context.entity.number,
      bytes.loadUnchecked(Header.number, as: UInt64.self) == number || DamageChecks.areSkipped
    else { throw context.damage(number, "it belongs elsewhere") }
    for position in 0..<columnCount {
      guard ClusterEntry(entry(position)).isSound(in: bytes, directoryLength: length, entriesEnd: entriesEnd, present)
      else { throw context.damage(number, "entry \(position) of its directory is wrong") }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Loads from an offset that is aligned and within the bytes, so that they have an address.
  @inline(__always) func loadUnchecked<T: BitwiseCopyable>(_ offset: Int, as type: T.Type) -> T {
    baseAddress.unsafelyUnwrapped.load(fromByteOffset: offset, as: type)
  }
}
