import ObjectStoreCore

/// Some rows of a result, one after the other.
struct RowPage: Sendable {
  /// The most bytes of a page, about.
  static let mostBytes = 8 << 20

  private var rows: [String] = []
  private var bytes = 0
  /// The keys of the sections that the rows are in, each with the number of its rows here.
  private var sections: [(key: String, count: Int)] = []
  /// Whether these are the last rows.
  var isLast = false

  /// Whether there is no room for another row.
  func isFull(_ size: Int) -> Bool { rows.count >= size || bytes >= Self.mostBytes }

  mutating func add(_ row: String, section: String?) {
    rows.append(row)
    bytes += row.utf8.count
    guard let section else { return }
    if sections.last?.key == section {
      sections[sections.count - 1].count += 1
    } else {
      sections.append((section, 1))
    }
  }

  /// Adds the rows, and their sections if there are any, to an answer.
  func write(to members: inout JSONMembers, hasSections: Bool) {
    members.add("rows", raw: "[\(rows.joined(separator: ","))]")
    guard hasSections else { return }
    let all = sections.map { "{\"section\":\($0.key),\"count\":\($0.count)}" }
    members.add("sections", raw: "[\(all.joined(separator: ","))]")
  }
}

/// The rest of a result, of which a page is read at a time.
protocol RowCursor: Sendable {
  /// The next page.
  ///
  /// - Parameter deadline: When the query is given up, which closes the cursor.
  func next(_ size: Int, _ request: RequestCancellation, until deadline: ContinuousClock.Instant?) throws -> RowPage
  /// Gives up the rest.
  func close(_ reason: CursorEnding)
}

/// Why a cursor has no more pages.
enum CursorEnding: Sendable {
  /// Every row was read, or reading them failed.
  case finished
  /// The client, or the end of the store's use, closed it.
  case closed
  /// Nobody asked for a page for so long.
  case unused(Duration)
  /// It was open for so long.
  case old(Duration)
  /// More cursors were opened than there may be.
  case replaced
  /// The transaction that it read is over.
  case transactionOver

  var words: String {
    switch self {
    case .finished: "all its rows were read"
    case .closed: "it was closed"
    case .unused(let lease): "no page was asked for in \(lease.components.seconds) seconds"
    case .old(let age): "it was open for \(age.components.seconds) seconds"
    case .replaced: "\(OpenCursors.most) others were used since"
    case .transactionOver: "the transaction that it read is over"
    }
  }
}
