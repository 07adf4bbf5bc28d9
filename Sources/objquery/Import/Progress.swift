import Glibc

/// Shows the progress of an import in a line on the terminal. Without a terminal it shows nothing.
struct Progress {
  private let isShown: Bool
  private let start = ContinuousClock.now
  private var last: ContinuousClock.Instant
  private var phase = ""
  private var phaseStart: ContinuousClock.Instant

  init(quiet: Bool) {
    isShown = !quiet && isatty(2) == 1
    last = start
    phaseStart = start
  }

  /// Seconds since it began.
  var elapsed: Double { Self.seconds(start.duration(to: .now)) }

  /// Begins a phase, such as `Importing`.
  mutating func begin(_ phase: String) {
    self.phase = phase
    phaseStart = .now
    last = phaseStart
  }

  /// Updates the progress; cheap when called very often.
  mutating func show(_ fraction: Double, objects: Int) {
    guard isShown else { return }
    let now = ContinuousClock.now
    guard last.duration(to: now) > .milliseconds(100) else { return }
    last = now
    let seconds = Self.seconds(phaseStart.duration(to: now))
    let filled = Int(fraction * 24)
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
    var line = "\r\(phase) \(bar) \(Int(fraction * 100)) %  \(grouped(objects)) objects"
    if seconds > 0.2, fraction > 0.01 {
      line += "  \(grouped(Int(Double(objects) / seconds)))/s  \(Self.time(seconds / fraction - seconds)) left"
    }
    StandardError.write(line + "\u{1B}[K")
  }

  /// Removes the line.
  func clear() {
    if isShown { StandardError.write("\r\u{1B}[K") }
  }

  /// `0.3 s`, `2 min 5 s`.
  static func time(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1e9 else { return "?" }
    if seconds < 10 { return "\((seconds * 10).rounded() / 10) s" }
    let whole = Int(seconds.rounded())
    return whole < 60 ? "\(whole) s" : "\(whole / 60) min \(whole % 60) s"
  }

  private static func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }
}
