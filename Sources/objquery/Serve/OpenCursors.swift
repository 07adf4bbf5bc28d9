/// The cursors that a client has not read to their end, by name.
struct OpenCursors {
  /// The most at a time. The one that was not used for longest is closed for another.
  static let most = 16

  private struct Entry {
    var cursor: any RowCursor
    var hasSections: Bool
    /// Whether it reads an open transaction.
    var isOfTransaction: Bool
    var lastUse: Int
  }

  private var open: [String: Entry] = [:]
  /// Why some cursors were closed, for the errors of requests for them.
  private var endings: [String: CursorEnding] = [:]
  private var count = 0
  private var uses = 0

  /// Gives a cursor a name.
  mutating func add(_ cursor: any RowCursor, hasSections: Bool, isOfTransaction: Bool) -> String {
    if open.count >= Self.most, let oldest = open.min(by: { $0.value.lastUse < $1.value.lastUse })?.key {
      close(oldest, .replaced)
    }
    count += 1
    uses += 1
    let name = "c\(count)"
    open[name] = Entry(cursor: cursor, hasSections: hasSections, isOfTransaction: isOfTransaction, lastUse: uses)
    return name
  }

  /// The cursor of a name.
  mutating func use(_ name: String) throws(ResponseError) -> (cursor: any RowCursor, hasSections: Bool) {
    guard let entry = open[name] else {
      if let ending = endings[name] { throw .closed(ending) }
      throw ResponseError(.cursorClosed, "there is no cursor '\(name)'")
    }
    uses += 1
    open[name]?.lastUse = uses
    return (entry.cursor, entry.hasSections)
  }

  /// Whether there was one to close.
  @discardableResult
  mutating func close(_ name: String, _ reason: CursorEnding) -> Bool {
    guard let entry = open.removeValue(forKey: name) else { return false }
    entry.cursor.close(reason)
    // A client that opens very many does not ask for the first of them any more.
    if endings.count >= 1_000 { endings = [:] }
    endings[name] = reason
    return true
  }

  mutating func closeAll(_ reason: CursorEnding) { for name in Array(open.keys) { close(name, reason) } }

  mutating func closeThoseOfTransaction() {
    for name in open.filter({ $0.value.isOfTransaction }).keys { close(name, .transactionOver) }
  }
}
