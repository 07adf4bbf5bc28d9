internal import CKernels
internal import PredicateLanguage
internal import Storage

/// The results of a filter on dictionary-coded strings: each dictionary of a table is evaluated once, then codes are
/// looked up.
final class CodeAnswers {
  /// Which codes of a dictionary pass.
  private enum Answer {
    case none, all
    case one(UInt8)
    case some
  }

  private let answers: [Answer]
  /// 256 bytes for each dictionary, not 0 for codes that pass.
  private let passing: UnsafeMutablePointer<UInt8>

  /// The minimum number of clusters for each dictionary to evaluate all dictionaries first.
  private static let clustersPerDictionary = 4

  /// Whether evaluating all dictionaries first costs little compared with filtering the clusters, of which some may
  /// have no candidates. If each cluster has its own dictionary, it is evaluated with the cluster instead.
  static func pay(for dictionaries: Int, clusters: Int) -> Bool { dictionaries * clustersPerDictionary <= clusters }

  /// Evaluates every string of the dictionaries.
  init(_ dictionaries: [TextBlock], _ passing: (TextBlock) throws -> Mask) rethrows {
    let masks = try dictionaries.map { texts in
      StepCounter.add(min(texts.count, Mask.slotCount))
      return try passing(texts)
    }
    self.passing = .allocate(capacity: max(1, dictionaries.count * Mask.slotCount))
    self.passing.initialize(repeating: 0, count: dictionaries.count * Mask.slotCount)
    var tables = self.passing
    answers = zip(dictionaries, masks).map { texts, codes in
      codes.forEach { tables[$0] = 1 }
      tables += Mask.slotCount
      switch codes.count {
      case 0: return .none
      case min(texts.count, Mask.slotCount): return .all
      case 1: return .one(UInt8(truncatingIfNeeded: codes.first ?? 0))
      default: return .some
      }
    }
  }

  deinit { passing.deallocate() }

  /// The candidates of a cluster that pass. Its column must be stored as codes of one of the dictionaries.
  @inline(__always)
  func mask(_ column: UnsafePointer<RawColumn>, _ candidates: Mask) -> Mask {
    let codes = column.pointee.values.assumingMemoryBound(to: UInt8.self)
    let count = Int(column.pointee.slotCount)
    let dictionary = Int(column.pointee.base)
    switch answers[dictionary] {
    case .none: return .none
    case .all: return candidates.andNot(column.pointee.nulls)
    case .one(let code):
      return Mask.filled { os_compare_u8(codes, count, code, .equal, $0) } & candidates.andNot(column.pointee.nulls)
    case .some:
      let passing = passing + dictionary * Mask.slotCount
      return Mask.filled { os_lookup_u8(codes, count, passing, $0) } & candidates.andNot(column.pointee.nulls)
    }
  }
}
