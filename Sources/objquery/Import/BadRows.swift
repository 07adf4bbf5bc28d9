import Glibc

/// The rows that an import refused: their number, the first few rows, and optionally a file with all of them.
final class BadRows {
  /// A row and the reason it was refused.
  struct Row {
    var line: Int
    var reason: String
  }

  private let source: String
  private let path: String?
  private var file: UnsafeMutablePointer<FILE>?
  private(set) var count = 0
  private(set) var first: [Row] = []
  /// The number of links without a target, in rows that were kept.
  private(set) var openLinks = 0
  private(set) var firstOpen: [Row] = []

  /// - Parameters:
  ///   - path: where to write all of them, `FILE:LINE: reason`; nil keeps only the first few.
  ///   - isAppending: whether what is in that file stays.
  ///   - replaces: whether a file that is not empty is replaced; otherwise it is refused.
  init(
    source: String, path: String?, isAppending: Bool = false, replaces: Bool = false
  ) throws(CommandFailure) {
    self.source = source
    self.path = path
    guard let path else { return }
    var (own, other) = (stat(), stat())
    if stat(path, &other) == 0, stat(source, &own) == 0, own.st_ino == other.st_ino, own.st_dev == other.st_dev {
      throw CommandFailure(
        description: "\(path) is the file that is read: --errors names another one", code: "unwritable-file")
    }
    if !isAppending, !replaces, other.st_mode & S_IFMT == S_IFREG, other.st_size > 0 {
      throw CommandFailure(
        description: "\(path) exists and is not empty; --overwrite replaces it, or --errors names another file",
        code: "file-exists")
    }
    file = fopen(path, isAppending ? "ae" : "we")
    if file == nil {
      throw CommandFailure(
        description: "cannot write \(path): \(String(cString: strerror(errno))); --errors names another file",
        code: "unwritable-file")
    }
  }

  deinit { if let file { fclose(file) } }

  func add(line: Int, _ reason: String) {
    count += 1
    if first.count < 5 { first.append(Row(line: line, reason: reason)) }
    if let file { fputs("\(source):\(line): \(reason)\n", file) }
  }

  /// Records a link that was left out of a row that was kept.
  func addOpen(line: Int, _ reason: String) {
    openLinks += 1
    if firstOpen.count < 5 { firstOpen.append(Row(line: line, reason: reason)) }
    if let file { fputs("\(source):\(line): \(reason)\n", file) }
  }

  /// Sentences for the summary.
  var lines: [String] { lines(first, of: count) }
  var openLines: [String] { lines(firstOpen, of: openLinks) }

  private func lines(_ first: [Row], of count: Int) -> [String] {
    var lines = first.map { "\(source):\($0.line): \($0.reason)" }
    if count > first.count {
      let more = "… and \(grouped(count - first.count)) more"
      lines.append(path.map { "\(more), all in \($0)" } ?? "\(more); --errors FILE keeps them all")
    }
    return lines
  }

  /// Ensures that the file is complete; returns a sentence when it is not.
  func close() -> String? {
    guard let file else { return nil }
    self.file = nil
    let failed = ferror(file) != 0
    return fclose(file) != 0 || failed ? "the errors file \(path ?? "") could not be written whole" : nil
  }
}
