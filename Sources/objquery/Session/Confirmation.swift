import Glibc
import ObjectStoreCore

/// A question that must be answered with yes on the terminal.
enum Confirmation {
  /// Whether there is a terminal.
  static var canAsk: Bool { isatty(0) == 1 && StandardError.isTerminal }

  /// Asks the question; throws unless the answer is yes.
  static func ask(_ question: String, _ cancellation: Cancellation?) throws {
    StandardError.write("\(question) [y/N] ")
    let answer = answer(cancellation).lowercased()
    if cancellation?.isCancelled == true { throw Interrupted(soFar: "nothing was changed") }
    guard answer == "y" || answer == "yes" else {
      throw CommandFailure(description: "nothing was changed", code: "not-confirmed")
    }
  }

  /// A line from the terminal; empty when there is no terminal, or Ctrl-C was pressed.
  private static func answer(_ cancellation: Cancellation?) -> String {
    var line: [UInt8] = []
    while cancellation?.isCancelled != true {
      var ready = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      let count = poll(&ready, 1, 100)
      if count == 0 || count < 0 && errno == EINTR { continue }
      var byte: UInt8 = 0
      guard count > 0, read(0, &byte, 1) == 1, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") else { break }
      line.append(byte)
    }
    let text = String(decoding: line, as: UTF8.self)
    return String(text.drop(while: \.isWhitespace).prefix { !$0.isWhitespace })
  }
}
