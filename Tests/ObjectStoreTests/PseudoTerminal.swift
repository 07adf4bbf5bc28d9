import Foundation
import Glibc

/// A program at a terminal of its own: keys go in, and what stands on the screen comes out.
final class PseudoTerminal {
  /// The screen never showed what was waited for.
  struct Missing: Error, CustomStringConvertible {
    var screen: String
    var description: String { "the screen stayed\n\(screen)" }
  }

  private let master: Int32
  private let process = Process()
  private var output: [UInt8] = []

  /// Starts a program in a folder.
  init(_ program: URL, _ arguments: [String], in folder: URL) throws {
    var slave: Int32 = -1
    var opened: Int32 = -1
    var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&opened, &slave, nil, nil, &size) == 0 else { throw POSIXError(.ENXIO) }
    master = opened
    let handle = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
  }

  deinit {
    if process.isRunning { process.terminate() }
    close(master)
  }

  /// Types keys.
  func type(_ keys: String) throws {
    let bytes = Array(keys.utf8)
    guard write(master, bytes, bytes.count) == bytes.count else { throw POSIXError(.EIO) }
  }

  /// The lines of the screen, once they are as they should be.
  ///
  /// - Throws: `Missing`, when they are not within half a minute.
  func screen(where isShown: (String) -> Bool) throws -> String {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
      if isShown(shown) { return shown }
      read(for: 100)
    }
    throw Missing(screen: shown)
  }

  /// Whether the program ended well.
  func ended() -> Bool {
    let deadline = ContinuousClock.now + .seconds(30)
    while process.isRunning, ContinuousClock.now < deadline { read(for: 50) }
    return !process.isRunning && process.terminationStatus == 0
  }

  private func read(for milliseconds: Int32) {
    var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, milliseconds) > 0 else { return }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(master, &buffer, buffer.count)
    if count > 0 { output += buffer.prefix(count) } else { usleep(UInt32(milliseconds) * 1000) }
  }

  /// What was written since the program last began at the top of the screen, without the sequences that place it.
  private var shown: String {
    // A terminal begins each new line with a return, which Swift takes for one character with it.
    let text = String(decoding: output.filter { $0 != 0x0D }, as: UTF8.self)
    let last = text.components(separatedBy: "\u{1B}[H").last ?? ""
    return last.replacing(/\u{1B}\[[?0-9]*[A-Za-z]/, with: "")
  }
}
