import CEdit
import Glibc

/// Reads lines from a terminal with editing, history and completion. It does not know statements.
final class LineEditor {
  /// The user's action.
  enum Input: Equatable {
    case line(String)
    /// Ctrl-C: the line is forgotten.
    case dropped
    /// Ctrl-D on an empty line.
    case end
  }

  private var editor: OpaquePointer?
  private var history: OpaquePointer?
  private let historyPath: String?
  private let completer: Completer
  private let prompt = UnsafeMutablePointer<CChar>.allocate(capacity: LineEditor.longestPrompt)
  private var wasDropped = false
  /// The text that Tab on an empty line inserts, such as a statement with its mistake mended.
  var suggestion: () -> String? = { nil }
  /// The text that the next line begins with.
  private var beginning: String?

  private static let longestPrompt = 512
  private static let historySize: CInt = 2000

  init(name: String, completer: Completer) {
    self.completer = completer
    historyPath = Self.historyFile(name)
    _ = cedit_use_locale()
    prompt.initialize(repeating: 0, count: Self.longestPrompt)
    let owner = Unmanaged.passUnretained(self).toOpaque()
    editor = cedit_create(name, { LineEditor.owner(of: $0)?.prompt }, owner)
    guard let editor else { return }
    cedit_bind(editor, "^I", "objquery-complete") { editor, _ in LineEditor.owner(of: editor)?.complete() ?? 0 }
    cedit_bind(editor, "^C", "objquery-drop") { editor, _ in LineEditor.owner(of: editor)?.drop() ?? 0 }
    cedit_bind(editor, "^Z", "objquery-suspend") { editor, _ in LineEditor.owner(of: editor)?.suspend() ?? 0 }
    cedit_bind(editor, Self.pasteBegins, "objquery-paste") { editor, _ in LineEditor.owner(of: editor)?.paste() ?? 0 }
    cedit_bind(editor, Self.insertKey, "objquery-begin") { editor, _ in LineEditor.owner(of: editor)?.begin() ?? 0 }
    history = cedit_create_history(editor, Self.historySize)
    if let history, let historyPath { _ = cedit_history_load(history, historyPath) }
    cedit_read_preferences(editor)
  }

  deinit {
    if let history { history_end(history) }
    if let editor { el_end(editor) }
    prompt.deallocate()
  }

  /// Reads a line; a pasted text is one line, whatever line breaks it has.
  ///
  /// - Parameter beginning: A text that is on the line already, to be edited.
  func read(prompt text: String, beginning: String? = nil) -> Input {
    guard let editor else { return readLine().map { .line($0) } ?? .end }
    let bytes = Array(text.utf8.prefix(Self.longestPrompt - 1)) + [0]
    for (index, byte) in bytes.enumerated() { prompt[index] = CChar(bitPattern: byte) }
    wasDropped = false
    cedit_prepare(editor)
    if marksPastes { StandardError.write(Self.pastesMarked) }
    defer { if marksPastes { StandardError.write(Self.pastesUnmarked) } }
    self.beginning = beginning
    if beginning != nil { el_push(editor, Self.insertKey) }
    var count: CInt = 0
    let line = el_gets(editor, &count)
    if wasDropped { return .dropped }
    guard let line, count > 0 else { return .end }
    var text = String(cString: line)
    if text.hasSuffix("\n") { text.removeLast() }
    return .line(text)
  }

  /// Adds a statement to the history as it was written, with its line breaks and comments.
  func remember(_ text: String) {
    guard let history else { return }
    cedit_history_add(history, text)
  }

  /// The lines of the history, the oldest first.
  var remembered: [String] {
    guard let history else { return [] }
    var lines: [String] = []
    var line = cedit_history_oldest(history)
    while let text = line {
      lines.append(String(cString: text))
      line = cedit_history_newer(history)
    }
    return lines
  }

  /// Saves the history for the next session, readable only by the user.
  func saveHistory() {
    guard let history, let historyPath else { return }
    let old = umask(0o077)
    _ = cedit_history_save(history, historyPath)
    umask(old)
  }

  // MARK: Keys

  private static func owner(of editor: OpaquePointer?) -> LineEditor? {
    guard let editor, let owner = cedit_owner(editor) else { return nil }
    return Unmanaged<LineEditor>.fromOpaque(owner).takeUnretainedValue()
  }

  private func drop() -> UInt8 {
    wasDropped = true
    StandardError.write("^C\r\n")
    return UInt8(CC_NEWLINE)
  }

  /// Ctrl-Z: gives the terminal back and stops, until the user's shell continues the process.
  private func suspend() -> UInt8 {
    guard let editor else { return UInt8(CC_ERROR) }
    if marksPastes { StandardError.write(Self.pastesUnmarked) }
    StandardError.write("\r\n")
    cedit_release(editor)
    // A program that was started with this signal blocked could not be stopped.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    // The whole job stops, as the terminal's driver would have it, where this process is in the foreground.
    if tcgetpgrp(0) == getpgrp() { kill(0, SIGTSTP) } else { kill(getpid(), SIGTSTP) }
    cedit_prepare(editor)
    if marksPastes { StandardError.write(Self.pastesMarked) }
    return UInt8(CC_REDISPLAY)
  }

  /// A paste, which the terminal marks: inserts all of it, so that no line of it runs before the user presses Enter.
  private func paste() -> UInt8 {
    guard let editor else { return UInt8(CC_ERROR) }
    var pasted = ""
    var key: wchar_t = 0
    while !pasted.hasSuffix(Self.pasteEnds) {
      guard pasted.utf8.count < Self.longestPaste, cedit_next_key(editor, &key) else { break }
      if let scalar = Unicode.Scalar(UInt32(truncatingIfNeeded: key)) { pasted.unicodeScalars.append(scalar) }
    }
    if pasted.hasSuffix(Self.pasteEnds) { pasted.removeLast(Self.pasteEnds.count) }
    insert(Self.line(pasted: pasted))
    return UInt8(CC_REFRESH)
  }

  /// A pasted text as it is edited: without the line breaks at its end, and without keys that are no text.
  static func line(pasted text: String) -> String {
    var scalars = String.UnicodeScalarView()
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar {
      // A line break of two characters is one.
      case "\n" where last == "\r": break
      case "\r", "\n": scalars.append("\n")
      case "\t": scalars.append(scalar)
      case _ where scalar.properties.generalCategory == .control: break
      default: scalars.append(scalar)
      }
      last = scalar
    }
    var line = String(scalars)
    while line.last?.isNewline == true { line.removeLast() }
    return line
  }

  private func insert(_ text: String) {
    if let editor, !text.isEmpty { el_insertstr(editor, text) }
  }

  /// Inserts the text that the line begins with.
  private func begin() -> UInt8 {
    insert(beginning ?? "")
    beginning = nil
    return UInt8(CC_REFRESH)
  }

  /// Terminals that know no escapes would show them.
  private let marksPastes =
    isatty(1) == 1 && StandardError.isTerminal && getenv("TERM").map { String(cString: $0) } != "dumb"
  private static let pastesMarked = "\u{1B}[?2004h"
  private static let pastesUnmarked = "\u{1B}[?2004l"
  private static let pasteBegins = "\u{1B}[200~"
  private static let pasteEnds = "\u{1B}[201~"
  private static let longestPaste = 1 << 20
  /// A key that no keyboard has: it inserts the beginning of a line.
  private static let insertKey = "\u{1B}[7770~"

  /// Tab: inserts the common prefix of all candidates; when there is none, lists them.
  private func complete() -> UInt8 {
    guard let editor, let info = el_line(editor), let start = info.pointee.buffer, let cursor = info.pointee.cursor
    else { return UInt8(CC_ERROR) }
    let length = cursor - start
    guard length >= 0 else { return UInt8(CC_ERROR) }
    let before = String(
      decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
    if before.isEmpty, info.pointee.lastchar == start, let suggestion = suggestion() {
      insert(suggestion)
      return UInt8(CC_REFRESH)
    }
    let completion = completer.complete(before)
    guard !completion.candidates.isEmpty else { return UInt8(CC_REFRESH_BEEP) }
    let shared = completion.shared
    if shared.utf8.count > completion.word.utf8.count || completion.candidates.count == 1 {
      // The letter case of the typed part may differ from that of the name: delete it first.
      if completion.word.count > 0 { el_deletestr(editor, CInt(completion.word.unicodeScalars.count)) }
      let isOnly = completion.candidates.count == 1 && !".(/".contains(shared.last ?? " ")
      el_insertstr(editor, shared + (isOnly ? completion.end : ""))
      return UInt8(CC_REFRESH)
    }
    list(completion.candidates)
    return UInt8(CC_REDISPLAY)
  }

  /// Lists candidates in columns below the line.
  private func list(_ candidates: [String]) {
    // The names of files may have anything in them.
    let candidates = candidates.map { Screen.harmless($0) }
    let width = (candidates.map { Screen.width($0) }.max() ?? 0) + 2
    let columns = max(1, (Screen.size?.columns ?? 80) / width)
    let rows = (candidates.count + columns - 1) / columns
    var text = "\n"
    for row in 0..<min(rows, 40) {
      for place in stride(from: row, to: candidates.count, by: rows) { text += candidates[place].padded(to: width) }
      text += "\n"
    }
    StandardError.write(text)
  }

  /// `$XDG_STATE_HOME/objquery/history`, creating its folder.
  private static func historyFile(_ name: String) -> String? {
    func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    guard let state = variable("XDG_STATE_HOME") ?? variable("HOME").map({ $0 + "/.local/state" }) else { return nil }
    var folder = ""
    for part in (state + "/" + name).split(separator: "/") {
      folder += "/" + part
      mkdir(folder, 0o700)
    }
    return folder + "/history"
  }
}
