internal import Storage
internal import Synchronization

/// Asks a condition about the clusters of a table, some rows at a time, on one thread or on several: each takes the next
/// few rows that nobody has.
///
/// Helpers read mapped memory and nothing else: no links, no values out of line, nothing of the storage engine. What
/// they cannot answer, an error among it, they leave to the caller's own thread, which meets it in its turn. A link that
/// a helper would have to follow is such an error: it never reads as nil.
final class FilterScan {
  private let filter: Filter
  private let scan: TableFilterScan
  private let context: ExecutionContext
  private let isCancelled: (@Sendable () -> Bool)?
  /// One for each thread, that of the caller's first; none where there is only that.
  private let helpers: [Helper]
  /// Whether the caller's thread first answers as helpers do, and by its own means only what they leave.
  private let isCallerHelper: Bool
  /// The answers for some rows, from the first of a window on.
  private let masks: UnsafeMutablePointer<Mask>
  /// Whether a row is left to the caller.
  private let isLeft: UnsafeMutablePointer<Bool>
  /// Whether a row was taken in already.
  private let isTaken: UnsafeMutablePointer<Bool>
  private let reduction: (any RowReduction)?
  /// Rows answered before the first of them is used; an early end of the scan makes the rest a waste.
  private let window: Int

  /// The same for several threads.
  private static let sharedWindow = 4096
  /// Rows taken at a time.
  private let batch: Int

  /// The most of them.
  private static let mostBatch = 32

  /// What one thread needs; made by the thread itself, when it first has time.
  private final class Helper: @unchecked Sendable {
    var scan: TableFilterScan?
    let context: ExecutionContext

    init(_ isCancelled: (@Sendable () -> Bool)?) {
      context = ExecutionContext(nil, nil, CancellationCheck(isCancelled))
    }
  }

  /// - Parameters:
  ///   - isCallerHelper: Whether the caller's thread first answers as helpers do, so that each row is asked as by them
  ///     however few there are.
  ///   - reduction: Who takes rows in as soon as they are answered, on the thread that answered them.
  init(
    _ filter: Filter, _ scan: TableScan, _ context: ExecutionContext, threads: Int, isCallerHelper: Bool = false,
    into reduction: (any RowReduction)? = nil, isCancelled: (@Sendable () -> Bool)?
  ) throws {
    self.filter = filter
    self.reduction = reduction
    self.scan = try TableFilterScan(scan, for: filter)
    self.context = context
    self.isCancelled = isCancelled
    self.isCallerHelper = isCallerHelper
    helpers = threads > 1 ? (0..<threads).map { _ in Helper(isCancelled) } : []
    // Where there are few rows, each thread still has some turns.
    batch = helpers.isEmpty ? Self.mostBatch : min(Self.mostBatch, max(1, scan.count / (4 * helpers.count)))
    window = helpers.isEmpty ? Self.mostBatch : Self.sharedWindow
    masks = .allocate(capacity: window)
    masks.initialize(repeating: .none, count: window)
    isLeft = .allocate(capacity: window)
    isLeft.initialize(repeating: true, count: window)
    isTaken = .allocate(capacity: window)
    isTaken.initialize(repeating: false, count: window)
  }

  deinit {
    masks.deallocate()
    isLeft.deallocate()
    isTaken.deallocate()
  }

  /// Calls `body` with every row that was not taken in and its mask, in order, until it returns false.
  ///
  /// - Parameter wantsAll: Whether it never does.
  func forEach(wantsAll: Bool, _ body: (Int, Mask) throws -> Bool) throws {
    let count = scan.scan.count
    var first = 0
    // The first windows are small, for those who need few.
    var size = wantsAll ? window : helpers.isEmpty ? 1 : 256
    while first < count {
      let rows = first..<min(count, first + size)
      try checkCancelled()
      if !helpers.isEmpty {
        share(rows)
      } else if !answer(rows, first, scan, context, 0) {
        throw QueryCancelled()
      }
      for row in rows where !isTaken[row - first] {
        if row > first { try checkCancelled() }
        if isLeft[row - first] { try narrow(row..<row + 1, masks + (row - first), scan, context) }
        if try !body(row, masks[row - first]) { return }
      }
      first = rows.upperBound
      size = min(window, size * 4)
    }
  }

  @inline(__always)
  private func checkCancelled() throws {
    if let isCancelled, isCancelled() { throw QueryCancelled() }
  }

  /// Answers a window on several threads.
  private func share(_ rows: Range<Int>) {
    isLeft.update(repeating: true, count: rows.count)
    isTaken.update(repeating: false, count: rows.count)
    let next = Atomic<Int>(rows.lowerBound)
    WorkerPool.shared.share(helpers: min(helpers.count - 1, rows.count / batch)) { [self] number in
      let asked: TableFilterScan
      let context: ExecutionContext
      if number == 0, !isCallerHelper {
        (asked, context) = (scan, self.context)
      } else {
        let helper = helpers[number]
        asked = helper.scan ?? scan.forWorker()
        helper.scan = asked
        context = helper.context
      }
      while true {
        let start = next.add(batch, ordering: .relaxed).oldValue
        guard start < rows.upperBound else { return }
        if let isCancelled, isCancelled() { return }
        let taken = start..<min(rows.upperBound, start + batch)
        if !answer(taken, rows.lowerBound, asked, context, number) { return }
      }
    }
  }

  /// Answers some rows of the window that begins with `first`. Where one of them cannot be, each is asked alone. False
  /// where nobody waits for it any more.
  private func answer(
    _ rows: Range<Int>, _ first: Int, _ scan: TableFilterScan, _ context: ExecutionContext, _ thread: Int
  ) -> Bool {
    let place = masks + (rows.lowerBound - first)
    let isLeft = isLeft + (rows.lowerBound - first)
    do {
      try narrow(rows, place, scan, context)
      isLeft.update(repeating: false, count: rows.count)
      if let reduction {
        let isTaken = isTaken + (rows.lowerBound - first)
        for index in 0..<rows.count { isTaken[index] = reduction.take(rows.lowerBound + index, place[index], thread) }
      }
      return true
    } catch is QueryCancelled {
      return false
    } catch {
      // Met again below, in the row it is of.
    }
    for index in 0..<rows.count {
      let row = rows.lowerBound + index
      do {
        try narrow(row..<row + 1, place + index, scan, context)
        isLeft[index] = false
      } catch is QueryCancelled {
        return false
      } catch {
        isLeft[index] = true
      }
    }
    return true
  }

  /// Asks about all objects of some rows.
  private func narrow(
    _ rows: Range<Int>, _ masks: UnsafeMutablePointer<Mask>, _ scan: TableFilterScan, _ context: ExecutionContext
  ) throws {
    let table = scan.scan
    for row in rows { masks[row &- rows.lowerBound] = table.present(row) }
    try filter.narrow(ScanRows(scan, rows, at: masks), context)
  }
}
