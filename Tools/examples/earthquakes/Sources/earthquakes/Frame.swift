import Foundation

/// The lines of a screen.
@MainActor struct Frame {
  private let browser: Browser
  private let width: Int
  private let height: Int

  init(_ browser: Browser, width: Int, height: Int) {
    self.browser = browser
    self.width = max(width, 40)
    self.height = max(height, 10)
  }

  var lines: [String] {
    let choice = browser.choice
    let order = "by \(choice.order.rawValue), \(choice.isReversed ? "descending" : "ascending")"
    let search =
      choice.text.isEmpty && !browser.isSearching ? "" : "   search: \(choice.text)\(browser.isSearching ? "_" : "")"
    let title = "Earthquakes of \(Self.text(choice.day, "yyyy-MM-dd"))   \(order)\(search)"
    let keys = "←→ day   / search   m t r order   s sections   ↑↓ select   q quit"
    let failure = browser.failure.map { ["no longer up to date: \($0)"] } ?? []
    let footer =
      [String(repeating: "─", count: width)] + detail + failure
      + ["\(browser.quakes.count) of \(browser.total)", keys]
    return ([title, ""] + list(height - 2 - footer.count) + footer).map { String(Self.harmless($0).prefix(width)) }
  }

  /// A line with control characters escaped, and those that change the direction of text: a feed, or what somebody
  /// pastes into the search field, can't send commands to the terminal.
  private static func harmless(_ line: String) -> String {
    var harmless = ""
    for scalar in line.unicodeScalars {
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069:
        harmless += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: harmless.unicodeScalars.append(scalar)
      }
    }
    return harmless
  }

  /// The part of the list that has the selected earthquake.
  private func list(_ count: Int) -> [String] {
    var lines: [String] = []
    var selected = 0
    for section in browser.sections {
      if let title = section.title { lines.append(title) }
      for quake in section.quakes {
        let isSelected = quake.objectID == browser.selected
        if isSelected { selected = lines.count }
        let magnitude = quake.magnitude.map { String(format: "%4.1f", $0) } ?? "   –"
        lines.append("\(isSelected ? ">" : " ") \(magnitude)  \(Self.text(quake.time, "HH:mm"))  \(quake.place)")
      }
    }
    if lines.isEmpty { lines = ["nothing on this day"] }
    let first = max(0, min(selected - count / 2, lines.count - count))
    return Array(lines.dropFirst(first).prefix(count))
  }

  /// More about the selected one.
  private var detail: [String] {
    guard let quake = browser.quakes.first(where: { $0.objectID == browser.selected }) else { return [] }
    let place = String(format: "%.2f, %.2f", quake.location.latitude, quake.location.longitude)
    let depth = quake.depth.map { String(format: ", %.0f km deep", $0) } ?? ""
    return ["\(quake.code) at \(place)\(depth), \(Self.text(quake.time, "HH:mm:ss")) UTC"]
  }

  private static func text(_ date: Date, _ format: String) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = format
    return formatter.string(from: date)
  }
}
