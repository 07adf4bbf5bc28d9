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
