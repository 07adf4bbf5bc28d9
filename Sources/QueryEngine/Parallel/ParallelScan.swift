internal import Storage
internal import Synchronization

/// Asks a condition about the clusters of a table on several threads: each takes the next few rows that nobody has.
///
/// Helpers read mapped memory and nothing else: no links, no values out of line, nothing of the storage engine. What
/// they cannot answer, an error among it, they leave to the caller's own thread, which meets it in its turn.
final class ParallelScan {
  private let condition: Condition
  private let scan: TableScan
  private let isCancelled: (@Sendable () -> Bool)?
  private let helpers: [Helper]
  private let own: ScanCondition
  private let scratch: Scratch
  /// The answers for some rows, from `first` on.
  private let masks: UnsafeMutablePointer<Mask>
  /// Whether a row is left to the caller.
  private let isLeft: UnsafeMutablePointer<Bool>

  /// Rows answered before the first of them is used; an early end of the scan makes the rest a waste.
  private static let window = 4096
  /// Rows taken at a time.
  private static let batch = 32

  /// What one thread needs; made by the thread itself, when it first has time.
  private final class Helper: @unchecked Sendable {
    var condition: ScanCondition?
    let scratch: Scratch

    init(_ isCancelled: (@Sendable () -> Bool)?) { scratch = Scratch(nil, nil, Patience(isCancelled)) }
  }

  init(
    _ condition: Condition, _ scan: TableScan, _ scratch: Scratch, threads: Int, isCancelled: (@Sendable () -> Bool)?
  )
    throws
  {
    self.condition = condition
    self.scan = scan
    self.scratch = scratch
    self.isCancelled = isCancelled
    own = try condition.bound(to: scan)
    helpers = (1..<max(2, threads)).map { _ in Helper(isCancelled) }
    masks = .allocate(capacity: Self.window)
    masks.initialize(repeating: .none, count: Self.window)
    isLeft = .allocate(capacity: Self.window)
    isLeft.initialize(repeating: true, count: Self.window)
  }

  deinit {
    masks.deallocate()
    isLeft.deallocate()
  }

  /// Calls `body` with every row and its mask, in order, until it returns false.
  func forEach(_ body: (Int, Mask) throws -> Bool) throws {
    var first = 0
    // The first windows are small, for those who need few.
    var size = 256
    while first < scan.count {
      let rows = first..<min(scan.count, first + size)
      answer(rows)
      for row in rows {
        // What `body` does takes its time as well.
        if isLeft[row - first] || row & 15 == 0, let isCancelled, isCancelled() { throw QueryCancelled() }
        let mask = isLeft[row - first] ? try own.mask(row, scan.present(row), scratch) : masks[row - first]
        if try !body(row, mask) { return }
      }
      first = rows.upperBound
      size = min(Self.window, size * 4)
    }
  }

  private func answer(_ rows: Range<Int>) {
    for place in 0..<rows.count { isLeft[place] = true }
    let next = Atomic<Int>(rows.lowerBound)
    let helped = min(helpers.count, rows.count / Self.batch)
    WorkerPool.shared.share(helpers: helped) { [self] number in
      let asked: ScanCondition
      let scratch: Scratch
      if number == 0 {
        (asked, scratch) = (own, self.scratch)
      } else {
        let helper = helpers[number - 1]
        guard let bound = try? helper.condition ?? condition.bound(to: scan.forWorker()) else { return }
        helper.condition = bound
        (asked, scratch) = (bound, helper.scratch)
      }
      while true {
        let start = next.add(Self.batch, ordering: .relaxed).oldValue
        guard start < rows.upperBound else { return }
        if let isCancelled, isCancelled() { return }
        for row in start..<min(rows.upperBound, start + Self.batch) {
          guard let mask = try? asked.mask(row, scan.present(row), scratch) else { continue }
          masks[row - rows.lowerBound] = mask
          isLeft[row - rows.lowerBound] = false
        }
      }
    }
  }
}
