internal import CPlatform
internal import Storage

/// A condition on texts that are kept by dictionary: each dictionary of the scan is asked once, then codes are
/// compared.
final class CodesScanCondition: ScanCondition {
  /// Which codes of a dictionary stand for texts that pass.
  private enum Answer {
    case none, all
    case one(UInt8)
    case some
  }

  private let condition: Condition
  private let scan: TableScan
  private let table: ColumnTable
  private let answers: [Answer]
  /// For each dictionary 256 bytes, not 0 for codes that pass.
  private let passing: UnsafeMutablePointer<UInt8>

  init(
    _ condition: Condition, _ scan: TableScan, _ table: ColumnTable, _ holds: (UnsafeRawBufferPointer) -> Bool
  ) {
    self.condition = condition
    self.scan = scan
    self.table = table
    let dictionaries = table.dictionaries
    passing = .allocate(capacity: dictionaries.count * Mask.slotCount)
    passing.initialize(repeating: 0, count: dictionaries.count * Mask.slotCount)
    let passing = passing
    answers = dictionaries.enumerated().map { number, texts in
      let count = min(texts.count, Mask.slotCount)
      let codes = (0..<count).filter { holds(texts[$0]) }
      for code in codes { passing[number * Mask.slotCount + code] = 1 }
      switch codes.count {
      case 0: return .none
      case count: return .all
      case 1: return .one(UInt8(truncatingIfNeeded: codes[0]))
      default: return .some
      }
    }
  }

  deinit { passing.deallocate() }

  override func mask(_ row: Int, _ candidates: Mask, _ scratch: Scratch) throws -> Mask {
    table.prefetch(row &+ 4)
    let column = table.rows + row
    guard column.pointee.layout == .codes else { return try condition.mask(try scan.view(row), candidates, scratch) }
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
