internal import CKernels
internal import Storage

/// The answers of a filter that reads two columns of strings, both coded by dictionaries: each pair of entries of two
/// dictionaries is evaluated once, then the codes of the clusters are looked up.
final class PairAnswers {
  /// Where the answers for two dictionaries lie.
  private struct Answers {
    /// A row of `1 << shift` bytes for each left code, 1 where the filter holds. The last row, and the last byte in use
    /// of each row, are those of nil.
    let start: Int
    let shift: Int
    /// The codes that stand for nil.
    let nilCodes: (left: Int, right: Int)
    /// Whether both dictionaries are so small that the answers are packed as well.
    var isPacked: Bool { nilCodes.left <= Self.packedCodes && nilCodes.right <= Self.packedCodes }

    /// The number of codes on a side for which answers can be packed.
    static let packedCodes = 16
  }

  // Plain memory: threads that share it count no references.
  private let bytes: UnsafeMutablePointer<UInt8>
  private let answers: UnsafeMutablePointer<Answers>
  /// The answers for two small dictionaries, for sixteen slots at a time.
  private let packed: UnsafeMutablePointer<code_pairs>
  /// The position in `answers` for each pair of dictionaries; -1 where no cluster has the pair.
  private let positions: UnsafeMutablePointer<Int32>
  /// The number of dictionaries on the right.
  private let rightCount: Int

  /// Entries of two dictionaries whose answers stay in the fastest cache.
  private static let mostPairs = 1 << 13

  /// Evaluates the filter for all pairs of entries of the dictionaries that meet in some cluster. nil where that is more
  /// work than evaluating the clusters one by one.
  ///
  /// - Parameters:
  ///   - clusters: The number of clusters to be filtered.
  ///   - holds: Returns the answers for the entries of two dictionaries, row by row of the left entries. The last entry
  ///     of each side stands for nil.
  init?(
    _ left: ColumnTable, _ right: ColumnTable, clusters: Int, _ holds: (TextBlock, TextBlock) throws -> [[Bool]]
  ) rethrows {
    let rightCount = right.dictionaries.count
    var positions = [Int32](repeating: -1, count: left.dictionaries.count * rightCount)
    var pairs: [(left: TextBlock, right: TextBlock)] = []
    var work = 0
    for row in 0..<min(left.count, right.count) {
      let (one, other) = (left.rows + row, right.rows + row)
      guard one.pointee.layout == .codes, other.pointee.layout == .codes else { continue }
      let position = Int(one.pointee.base) * rightCount + Int(other.pointee.base)
      guard positions.indices.contains(position) else { return nil }
      if positions[position] >= 0 { continue }
      positions[position] = Int32(truncatingIfNeeded: pairs.count)
      let pair = (left.dictionaries[Int(one.pointee.base)], right.dictionaries[Int(other.pointee.base)])
      let size = (pair.0.count + 1) * (pair.1.count + 1)
      work += size
      guard size <= Self.mostPairs, CodeAnswers.pay(for: pairs.count + 1, clusters: clusters),
        work <= clusters * Mask.slotCount / 4
      else { return nil }
      pairs.append(pair)
    }
    if pairs.isEmpty { return nil }
    var bytes: [UInt8] = []
    var packed: [code_pairs] = []
    let answers = try pairs.map { pair in
      let rows = try holds(pair.left, pair.right)
      // Codes from 0 to the count, which stands for nil.
      let shift = Int.bitWidth - pair.right.count.leadingZeroBitCount
      let start = bytes.count
      bytes.append(contentsOf: repeatElement(0, count: rows.count << shift))
      for (code, row) in rows.enumerated() {
        for (other, holds) in row.enumerated() where holds { bytes[start + code << shift + other] = 1 }
      }
      let answers = Answers(start: start, shift: shift, nilCodes: (pair.left.count, pair.right.count))
      packed.append(answers.isPacked ? Self.packed(rows) : code_pairs())
      return answers
    }
    self.bytes = Self.copy(bytes)
    self.answers = Self.copy(answers)
    self.packed = Self.copy(packed)
    self.positions = Self.copy(positions)
    self.rightCount = rightCount
  }

  deinit {
    bytes.deallocate()
    answers.deallocate()
    packed.deallocate()
    positions.deallocate()
  }

  /// The answers for the entries of two small dictionaries, without those for nil.
  private static func packed(_ rows: [[Bool]]) -> code_pairs {
    var packed = code_pairs()
    for (code, row) in rows.dropLast().enumerated() {
      for (other, holds) in row.dropLast().enumerated() where holds {
        code_pairs_add(&packed, UInt8(truncatingIfNeeded: code), UInt8(truncatingIfNeeded: other))
      }
    }
    return packed
  }

  private static func copy<Element>(_ array: [Element]) -> UnsafeMutablePointer<Element> {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(1, array.count))
    _ = UnsafeMutableBufferPointer(start: memory, count: array.count).initialize(from: array)
    return memory
  }

  /// The candidates of a cluster that pass; nil where a column is not coded.
  @inline(__always)
  func mask(
    _ left: UnsafePointer<RawColumn>, _ right: UnsafePointer<RawColumn>, _ candidates: Mask
  ) -> Mask? {
    guard left.pointee.layout == .codes, right.pointee.layout == .codes else { return nil }
    let position = positions[Int(left.pointee.base) * rightCount + Int(right.pointee.base)]
    guard position >= 0 else { return nil }
    let packed = packed + Int(position)
    let answers = answers[Int(position)]
    let (bytes, shift, nilCodes) = (bytes + answers.start, answers.shift, answers.nilCodes)
    let leftCodes = left.pointee.values.assumingMemoryBound(to: UInt8.self)
    let rightCodes = right.pointee.values.assumingMemoryBound(to: UInt8.self)
    let count = Int(min(left.pointee.slotCount, right.pointee.slotCount))
    var found = Mask.filled {
      if answers.isPacked {
        code_pairs_look_up(packed, leftCodes, rightCodes, count, $0)
      } else {
        os_lookup_pairs(leftCodes, rightCodes, count, UInt32(truncatingIfNeeded: shift), bytes, $0)
      }
    }
    let (leftNulls, rightNulls) = (left.pointee.nulls, right.pointee.nulls)
    // A slot that is nil has the code of any entry.
    (candidates & (leftNulls | rightNulls)).forEach { slot in
      let code = leftNulls[slot] ? nilCodes.left : Int(leftCodes[slot])
      let other = rightNulls[slot] ? nilCodes.right : Int(rightCodes[slot])
      found[slot] = bytes[code << shift + other] != 0
    }
    return found & candidates
  }
}
