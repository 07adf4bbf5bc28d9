internal import LMDB
internal import Schema

/// The bytes that a column takes in the clusters of its entity.
package struct ColumnUse: Sendable {
  /// Chunks of one encoding.
  package struct EncodingUse: Sendable {
    package var name: String
    package var chunks = 0
    /// Without the entries in the directories.
    package var bytes = 0
  }

  package var path: String
  /// The clusters that have a value of it, or a nil.
  package var chunks = 0
  /// The chunks and their entries in the directories of the clusters.
  package var bytes = 0
  /// The values that are stored outside the clusters.
  package var overflowValues = 0
  package var overflowBytes = 0
  /// The largest first.
  package var encodings: [EncodingUse] = []
}

/// What the clusters of an entity consist of.
package struct ClusterUse: Sendable {
  package var clusters = 0
  package var columns: [ColumnUse] = []
  /// The chunks of columns that the schema no longer has: they go when their clusters are written again.
  package var removedBytes = 0
  /// Whether the figures were derived from a part of the clusters.
  package var isEstimated = false
  /// What could not be read.
  package var problems: [String] = []
}

extension Snapshot {
  /// The number of damaged clusters that are named.
  private static let mostProblems = 5

  /// What the clusters of an entity consist of, by their directories. Of many clusters some are visited, evenly spread.
  /// Damage ends nothing: what can't be read is named and left out.
  package final func clusterUse(_ entity: StoredEntity, mostVisits: Int = 4_096) throws(StoreError) -> ClusterUse {
    let reader = try reader(of: entity)
    var use = ClusterUse()
    var sums = ColumnSums(entity)
    var visited = 0
    do throws(StoreError) {
      use.clusters = try clusterCount(entity)
      use.isEstimated = use.clusters > mostVisits
      let last = try objectLimit(entity) >> 8
      let stride = use.isEstimated ? max(last / UInt64(max(mostVisits, 1)), 1) : 1
      let most = environmentBytes
      try StoreError.only(path) {
        let cursor = try transaction.cursor(reader.tables.objects)
        var entry = try cursor.first()
        while let found = entry {
          guard found.key.count == 8 else {
            throw StoreError.corrupted(location: "\(entity.name): a cluster without a number")
          }
          let number = found.key.loadUnaligned(as: UInt64.self)
          do throws(StoreError) {
            sums.add(try ClusterView(found.value, number: number, context: reader.context), most: most)
            visited += 1
          } catch StoreError.corrupted(let location) {
            if use.problems.count < Self.mostProblems { use.problems.append(location) }
          }
          let (next, isPast) = number.addingReportingOverflow(stride)
          if isPast { break }
          entry = try use.isEstimated ? cursor.seek(next) : cursor.next()
        }
      }
    } catch .corrupted(let location) {
      use.problems.append(location)
    }
    let factor = use.isEstimated ? Double(use.clusters) / Double(max(visited, 1)) : 1
    (use.columns, use.removedBytes) = sums.result(scaledBy: factor)
    return use
  }

  /// The size of the file: the most that anything in it can take.
  private final var environmentBytes: Int { transaction.environment.fileBytes }
}

/// The sums for the columns of an entity while its clusters are visited.
private struct ColumnSums {
  private struct Sum {
    var chunks = 0
    var bytes = 0
    var overflowValues = 0
    var overflowBytes = 0
    /// By the number of the encoding.
    var encodings = [(chunks: Int, bytes: Int)](repeating: (0, 0), count: 256)
  }

  private let entity: StoredEntity
  private var columns: [Sum]
  private var removedBytes = 0

  init(_ entity: StoredEntity) {
    self.entity = entity
    columns = Array(repeating: Sum(), count: entity.columns.count)
  }

  mutating func add(_ cluster: ClusterView, most: Int) {
    let directory = cluster.directory
    for position in 0..<directory.columnCount {
      let entry = ClusterEntry(directory.entry(position))
      // Columns keep their order, so the entry is mostly at the place of its column.
      let isUsual = position < columns.count && entity.columns[position].number == entry.number
      let column = isUsual ? position : entity.columns.firstIndex { $0.number == entry.number }
      guard let column else {
        removedBytes += ClusterFormat.entrySize + entry.length
        continue
      }
      let isElsewhere = entry.flags.contains(.elsewhere)
      let length = isElsewhere ? 0 : entry.length
      columns[column].chunks += 1
      columns[column].bytes += ClusterFormat.entrySize + length
      columns[column].encodings[Int(entry.encoding)].chunks += 1
      columns[column].encodings[Int(entry.encoding)].bytes += length
      let (count, bytes) = isElsewhere ? (1, entry.length) : entry.overflow(in: directory.bytes, most: most)
      columns[column].overflowValues += count
      columns[column].overflowBytes += bytes
    }
  }

  func result(scaledBy factor: Double) -> (columns: [ColumnUse], removedBytes: Int) {
    // Sums of lengths within a file, which are far from the limits of their types.
    func scaled(_ sum: Int) -> Int { factor == 1 ? sum : Int((Double(sum) * factor).rounded()) }
    let uses = zip(entity.columns, columns).map { column, sum in
      let encodings = sum.encodings.enumerated().compactMap { number, use -> ColumnUse.EncodingUse? in
        guard use.chunks > 0, let encoding = ChunkEncoding(rawValue: UInt8(number)) else { return nil }
        return ColumnUse.EncodingUse(
          name: String(describing: encoding), chunks: scaled(use.chunks), bytes: scaled(use.bytes))
      }
      return ColumnUse(
        path: column.path, chunks: scaled(sum.chunks), bytes: scaled(sum.bytes),
        overflowValues: scaled(sum.overflowValues), overflowBytes: scaled(sum.overflowBytes),
        encodings: encodings.sorted { ($0.bytes, $0.chunks) > ($1.bytes, $1.chunks) })
    }
    return (uses, scaled(removedBytes))
  }
}

extension ClusterEntry {
  /// The number of overflow values of a chunk, and the sum of their sizes by the list at its start, each `most` at most.
  /// The list is not validated, so nothing beyond the chunk is read.
  fileprivate func overflow(in cluster: UnsafeRawBufferPointer, most: Int) -> (count: Int, bytes: Int) {
    guard flags.contains(.outOfLine) else { return (0, 0) }
    let chunk = UnsafeRawBufferPointer(rebasing: cluster[place..<place + length])
    let isCollection = ChunkEncoding(rawValue: encoding)?.isCollection ?? false
    let maskBytes = 32
    let start = flags.contains(.nulls) ? maskBytes : 0
    guard chunk.count >= start + maskBytes else { return (0, 0) }
    var count = 0
    for word in 0..<4 {
      count += chunk.loadUnaligned(fromByteOffset: start + 8 * word, as: UInt64.self).nonzeroBitCount
    }
    var bytes = 0
    for value in 0..<count {
      let offset = start + maskBytes + 16 * value
      guard offset + 16 <= chunk.count else { return (value, bytes) }
      let size = chunk.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      bytes += Int(min(isCollection ? size & 0xFFFF_FFFF : size, UInt64(max(most, 0))))
    }
    return (count, bytes)
  }
}
