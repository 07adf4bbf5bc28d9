internal import Storage
internal import Synchronization

/// Filters the clusters of a table, some rows at a time, on one or several threads: each thread takes the next few rows
/// that no other has taken.
///
/// Helper threads read only mapped memory: no links, no overflow values, nothing through the storage engine. Rows that
/// they cannot evaluate, also because of an error, are left to the caller's thread, which reports the error in order. A
/// link that a helper would have to follow is such an error; it is never read as nil.
final class FilterScan {
  private let filter: any Filter
  private let scan: TableFilterScan
  private let context: ExecutionContext
  private let isCancelled: (@Sendable () throws -> Bool)?
  /// One for each thread, the caller's first; empty if there is only the caller's thread.
  private let helpers: [Helper]
  /// Whether the caller's thread first evaluates rows as helpers do, and evaluates in its own way only the rows that
  /// are left.
  private let isCallerHelper: Bool
  /// The results for the rows of the current window.
  private let masks: UnsafeMutablePointer<Mask>
  /// Whether a row is left to the caller.
  private let isLeft: UnsafeMutablePointer<Bool>
  /// Whether the reduction has already consumed a row.
  private let isTaken: UnsafeMutablePointer<Bool>
  private let reduction: (any RowReduction)?
  /// The number of rows evaluated before the first of them is used. If the scan ends early, the rest is wasted.
  private let window: Int

  /// The window for several threads.
  private static let sharedWindow = 4096
  /// The number of rows that a thread takes at a time.
  private let batch: Int

  /// The maximum of `batch`.
  private static let mostBatch = 32

  /// The state of one thread, created by that thread when it first runs.
  private final class Helper: @unchecked Sendable {
    var scan: TableFilterScan?
    let context: ExecutionContext

    init(_ isCancelled: (@Sendable () throws -> Bool)?) {
      context = ExecutionContext(nil, nil, CancellationCheck(isCancelled))
    }
  }

  /// - Parameters:
  ///   - isCallerHelper: Whether the caller's thread first evaluates rows as helpers do, so that all rows are evaluated
  ///     alike, regardless of the number of threads.
  ///   - reduction: Consumes rows as soon as they are evaluated, on the thread that evaluated them.
  init(
    _ filter: any Filter, _ scan: TableScan, _ context: ExecutionContext, threads: Int, isCallerHelper: Bool = false,
    into reduction: (any RowReduction)? = nil, isCancelled: (@Sendable () throws -> Bool)?
  ) throws {
    self.filter = filter
    self.reduction = reduction
    self.scan = try TableFilterScan(scan, for: filter)
    self.context = context
    self.isCancelled = isCancelled
    self.isCallerHelper = isCallerHelper
    helpers = threads > 1 ? (0..<threads).map { _ in Helper(isCancelled) } : []
    // With few rows, each thread still gets several batches.
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

  /// Calls `body` with the number and the mask of each row that the reduction has not consumed, in order, until it
  /// returns false.
  ///
  /// - Parameter wantsAll: Whether `body` never returns false.
  func forEach(wantsAll: Bool, _ body: (Int, Mask) throws -> Bool) throws {
    let count = scan.scan.count
    var first = 0
    // The first windows are small, for callers that need few rows.
    var size = wantsAll ? window : helpers.isEmpty ? 1 : 256
    while first < count {
      let rows = first..<min(count, first + size)
      try checkCancelled()
      if !helpers.isEmpty {
        share(rows)
      } else if !answer(rows, first, scan, context, 0) {
        try checkCancelled()
        throw QueryCancelled()
      }
      for row in rows where !isTaken[row - first] {
        if row > first { try checkCancelled() }
        if isLeft[row - first] { try narrow(row..<row + 1, masks + (row - first), scan, context) }
        // Long strings are outside the clusters, where only this thread reads.
        try context.cancellation.throwIfGivenUp()
        if try !body(row, masks[row - first]) { return }
      }
      first = rows.upperBound
      size = min(window, size * 4)
    }
  }

  /// Whether an error means that the query was cancelled, not that a row is damaged.
  private static func ends(_ error: any Error) -> Bool {
    if case StoreError.limitExceeded(let excess) = error { return excess.limit == .time }
    return error is QueryCancelled
  }

  /// Whether the query must end, by an error that `checkCancelled` throws.
  private var isStopped: Bool {
    guard let isCancelled else { return false }
    return (try? isCancelled()) ?? true
  }

  @inline(__always)
  private func checkCancelled() throws {
    if let isCancelled, try isCancelled() { throw QueryCancelled() }
  }

  /// Evaluates a window on several threads.
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
        if isStopped { return }
        let taken = start..<min(rows.upperBound, start + batch)
        if !answer(taken, rows.lowerBound, asked, context, number) { return }
      }
    }
  }

  /// Evaluates some rows of the window that begins at `first`. If one of them fails, each is evaluated alone. Returns
  /// false if the query is cancelled.
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
    } catch let error where Self.ends(error) {
      return false
    } catch {
      // The error occurs again below, in the row that causes it.
    }
    for index in 0..<rows.count {
      let row = rows.lowerBound + index
      do {
        try narrow(row..<row + 1, place + index, scan, context)
        isLeft[index] = false
      } catch let error where Self.ends(error) {
        return false
      } catch {
        isLeft[index] = true
      }
    }
    return true
  }

  /// Evaluates the filter on all objects of some rows.
  private func narrow(
    _ rows: Range<Int>, _ masks: UnsafeMutablePointer<Mask>, _ scan: TableFilterScan, _ context: ExecutionContext
  ) throws {
    let table = scan.scan
    for row in rows { masks[row &- rows.lowerBound] = table.present(row) }
    try filter.narrow(ScanRows(scan, rows, at: masks), context)
  }
}
