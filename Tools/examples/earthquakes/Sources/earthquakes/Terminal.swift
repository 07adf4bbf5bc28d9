import Foundation

/// What somebody pressed.
enum Key: Equatable, Sendable {
  case character(Character)
  case up, down, left, right, enter, delete, escape, end
}

/// A terminal without echo, whose keys come one by one.
struct Terminal {
  private let before: termios

  /// nil when standard input is no terminal.
  init?() {
    var state = termios()
    guard tcgetattr(STDIN_FILENO, &state) == 0 else { return nil }
    before = state
    state.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &state)
    Self.write("\u{1B}[?1049h\u{1B}[?25l")
  }

  /// Leaves it as it was.
  func close() {
    Self.write("\u{1B}[?25h\u{1B}[?1049l")
    var state = before
    tcsetattr(STDIN_FILENO, TCSANOW, &state)
  }

  var size: (width: Int, height: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  func show(_ lines: [String]) {
    Self.write("\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\n") + "\u{1B}[J")
  }

  private static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

  /// The keys, from a thread that waits for them.
  var keys: AsyncStream<Key> {
    AsyncStream { continuation in
      Thread.detachNewThread {
        while let key = Self.next() { continuation.yield(key) }
        continuation.yield(.end)
        continuation.finish()
      }
    }
  }

  private static func next() -> Key? {
    guard let first = byte() else { return nil }
    switch first {
    case 0x1B: return escape()
    case 0x0A, 0x0D: return .enter
    case 0x08, 0x7F: return .delete
    case 0x04: return .end
    default: return character(first)
    }
  }

  /// An arrow, or Escape by itself, which nothing follows at once.
  private static func escape() -> Key? {
    var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, 20) > 0, byte() == 0x5B else { return .escape }
    switch byte() {
    case 0x41: return .up
    case 0x42: return .down
    case 0x43: return .right
    case 0x44: return .left
    default: return .escape
    }
  }

  /// A character of one byte or more.
  private static func character(_ first: UInt8) -> Key? {
    var bytes = [first]
    let count = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    while bytes.count < count, let next = byte() { bytes.append(next) }
    return String(decoding: bytes, as: UTF8.self).first.map { .character($0) }
  }

  private static func byte() -> UInt8? {
    var byte: UInt8 = 0
    return read(STDIN_FILENO, &byte, 1) == 1 ? byte : nil
  }
}
