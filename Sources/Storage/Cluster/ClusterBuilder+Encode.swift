import Glibc
import Schema

extension ClusterBuilder {
  /// Encodes the cluster, and returns its bytes and the values to write and delete in addition. After these writes the
  /// builder can be changed and encoded again.
  ///
  /// A chunk longer than `chunkLimit` becomes an LMDB value of its own, so that a change of another column does not
  /// write it again. The separate chunk of an unchanged column is left as it is.
  package func encode(transaction: UInt64, chunkLimit: Int = .max) throws(StoreError) -> EncodedCluster {
    try prepareEncoding()
    let slotCount = (present.last ?? -1) + 1
    for column in columns { column?.collections?.compact() }
    let rangeTextsPlace = ClusterFormat.headerSize + columns.count * ClusterFormat.entrySize
    let directoryLength = rangeTextsPlace + entity.textColumnCount * 2 * ClusterFormat.longestRangeText
    let bound = columns.reduce(directoryLength + (origin?.count ?? 0)) { $0 + ($1.map { ChunkWriter.bound($0) } ?? 0) }
    guard bound <= Int(Int32.max), columns.count <= Int(UInt16.max) else {
      throw .unsupported("256 objects of \(entity.name) take more than 2 GiB; keep the data in fewer properties")
    }
    var changes: [EncodedCluster.OutOfLineChange] = []
    var nowDistant: Set<UInt32> = []
    let bytes = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
      guard let address = buffer.baseAddress else { return }
      let start = UnsafeMutableRawPointer(address)
      memset(start, 0, directoryLength)
      var place = directoryLength
      var textPlace = rangeTextsPlace
      for (index, column) in columns.enumerated() {
        let entry = start + ClusterFormat.headerSize + index * ClusterFormat.entrySize
        guard let column else {
          place += copy(index, to: start, entry, place: place, &textPlace)
          continue
        }
        var writer = ChunkWriter(column, present: present, slotCount: slotCount, at: start + place)
        var result = writer.write()
        let chunk = UnsafeRawBufferPointer(start: start + place, count: result.length)
        let isDistant = result.length > chunkLimit
        if isDistant {
          result.flags.insert(.elsewhere)
          nowDistant.insert(column.number)
          changes.append(.init(key: .init(cluster: number, column: column.number, slot: nil), bytes: Array(chunk)))
        }
        keepRange(of: column, in: &result, at: start, &textPlace)
        Self.write(result, of: column, at: entry, place: isDistant || result.length == 0 ? 0 : place, chunk)
        if !isDistant { place += result.length }
      }
      writeHeader(at: start, directoryLength: directoryLength, totalLength: place, transaction: transaction)
      count = place
    }
    for column in distant.subtracting(nowDistant) {
      changes.append(.init(key: OutOfLineKey(cluster: number, column: column, slot: nil), bytes: nil))
    }
    distant = nowDistant
    for case let column? in columns { collectLongValues(of: column, into: &changes) }
    return EncodedCluster(bytes: bytes, outOfLine: changes)
  }

  /// Copies the unchanged chunk and entry of a column. Returns the length of the chunk.
  private func copy(
    _ index: Int, to start: UnsafeMutableRawPointer, _ entry: UnsafeMutableRawPointer, place: Int,
    _ textPlace: inout Int
  ) -> Int {
    guard let origin, let (old, address, chunk) = origin.chunk(index) else { return 0 }
    typealias Entry = ClusterFormat.Entry
    memcpy(entry, address, ClusterFormat.entrySize)
    entry.storeBytes(of: UInt32(chunk.isEmpty ? 0 : place), toByteOffset: Entry.place, as: UInt32.self)
    if let bytes = chunk.baseAddress { memcpy(start + place, bytes, chunk.count) }
    for (bound, offset) in zip(old.rangeTexts, [Entry.minimum, Entry.maximum]) {
      let text = origin.rangeText(bound)
      if let bytes = text.baseAddress { memcpy(start + textPlace, bytes, text.count) }
      entry.storeBytes(of: UInt64(textPlace) | UInt64(text.count) << 32, toByteOffset: offset, as: UInt64.self)
      textPlace += ClusterFormat.longestRangeText
    }
    return chunk.count
  }

  /// Copies the minimum and maximum string into the directory.
  private func keepRange(
    of column: ColumnBuffer, in result: inout ChunkWriter.Result, at start: UnsafeMutableRawPointer,
    _ textPlace: inout Int
  ) {
    guard let texts = column.texts, let least = result.leastText, let greatest = result.greatestText else { return }
    func keep(_ slot: Int) -> UInt64 {
      let length = Int(texts.lengths[slot])
      memcpy(start + textPlace, texts.bytes + Int(texts.starts[slot]), length)
      defer { textPlace += ClusterFormat.longestRangeText }
      return UInt64(textPlace) | UInt64(length) << 32
    }
    result.minimum = keep(least)
    result.maximum = keep(greatest)
    result.flags.insert(.range)
  }

  private static func write(
    _ result: ChunkWriter.Result, of column: ColumnBuffer, at entry: UnsafeMutableRawPointer, place: Int,
    _ chunk: UnsafeRawBufferPointer
  ) {
    typealias Entry = ClusterFormat.Entry
    entry.storeBytes(of: column.number, toByteOffset: Entry.number, as: UInt32.self)
    entry.storeBytes(of: result.encoding.rawValue, toByteOffset: Entry.encoding, as: UInt8.self)
    entry.storeBytes(of: column.type.code, toByteOffset: Entry.type, as: UInt8.self)
    entry.storeBytes(of: result.flags.rawValue, toByteOffset: Entry.flags, as: UInt16.self)
    entry.storeBytes(of: UInt32(place), toByteOffset: Entry.place, as: UInt32.self)
    entry.storeBytes(of: UInt32(result.length), toByteOffset: Entry.length, as: UInt32.self)
    let checksum = result.encoding == .absent ? 0 : Checksum.of(chunk)
    entry.storeBytes(of: checksum, toByteOffset: Entry.checksum, as: UInt64.self)
    entry.storeBytes(of: UInt16(result.nullCount), toByteOffset: Entry.nullCount, as: UInt16.self)
    entry.storeBytes(of: result.minimum, toByteOffset: Entry.minimum, as: UInt64.self)
    entry.storeBytes(of: result.maximum, toByteOffset: Entry.maximum, as: UInt64.self)
  }

  private func writeHeader(
    at start: UnsafeMutableRawPointer, directoryLength: Int, totalLength: Int, transaction: UInt64
  ) {
    typealias Header = ClusterFormat.Header
    start.storeBytes(of: ClusterFormat.magic, toByteOffset: Header.magic, as: UInt32.self)
    start.storeBytes(of: ClusterFormat.version, toByteOffset: Header.version, as: UInt16.self)
    start.storeBytes(of: UInt16(columns.count), toByteOffset: Header.columnCount, as: UInt16.self)
    start.storeBytes(of: entity.number, toByteOffset: Header.entity, as: UInt32.self)
    start.storeBytes(of: UInt32(directoryLength), toByteOffset: Header.directoryLength, as: UInt32.self)
    start.storeBytes(of: number, toByteOffset: Header.number, as: UInt64.self)
    start.storeBytes(of: transaction, toByteOffset: Header.transaction, as: UInt64.self)
    start.storeBytes(of: UInt32(totalLength), toByteOffset: Header.totalLength, as: UInt32.self)
    for word in 0..<4 {
      start.storeBytes(of: present.word(word), toByteOffset: Header.presence + 8 * word, as: UInt64.self)
    }
    let sum = Checksum.of(
      UnsafeRawBufferPointer(start: start + Header.entity, count: directoryLength - Header.entity),
      seed: start.load(as: UInt64.self))
    start.storeBytes(of: sum, toByteOffset: Header.checksum, as: UInt64.self)
  }

  private func collectLongValues(of column: ColumnBuffer, into changes: inout [EncodedCluster.OutOfLineChange]) {
    guard let long = column.long, !long.isQuiet else { return }
    for (slot, part) in long.parts.sorted(by: { $0.key < $1.key }) {
      if case .pending(let bytes, _) = part {
        changes.append(.init(key: OutOfLineKey(cluster: number, column: column.number, slot: slot), bytes: bytes))
      }
    }
    long.abandoned.andNot(long.slots).forEach { slot in
      changes.append(.init(key: OutOfLineKey(cluster: number, column: column.number, slot: slot), bytes: nil))
    }
    column.markStored()
  }
}
