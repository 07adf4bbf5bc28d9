internal import Diagnostics
import ObjectStoreCore

/// Writes the command's messages: everything but results, all to standard error.
///
/// The text of diagnostics comes from their renderer; this only chooses the format.
struct Console: Equatable {
  /// How errors are shown.
  enum ErrorFormat: String, CaseIterable { case text, json }

  var isQuiet = false
  var errorFormat = ErrorFormat.text
  var color = false

  /// Writes a note that is not an error; `--quiet` suppresses it.
  func note(_ text: String) {
    if !isQuiet { StandardError.write(text + "\n") }
  }

  /// Writes a warning that is not about a text; `code` identifies its kind.
  func warn(_ message: String, code: String) {
    if errorFormat == .json {
      note(DiagnosticRenderer().json(failure: code, message: message, severity: .warning))
    } else {
      note((color ? "\u{1B}[1;33mwarning:\u{1B}[0m " : "warning: ") + message)
    }
  }

  /// Something that may be wrong.
  func warn(_ diagnostic: Diagnostic, source: String) {
    guard !isQuiet else { return }
    let renderer = DiagnosticRenderer(color: color)
    let shown =
      errorFormat == .json ? renderer.json(diagnostic, source: source) : renderer.text(diagnostic, source: source)
    StandardError.write(shown + "\n")
  }

  /// An error of any kind.
  func report(_ error: any Error, sourceName: String? = nil) {
    StandardError.write(text(of: error, sourceName: sourceName) + "\n")
  }

  /// The text of an error, without a final line break.
  func text(of error: any Error, sourceName: String? = nil) -> String {
    let renderer = DiagnosticRenderer(color: color)
    if var error = error as? DiagnosticError {
      if error.sourceName == nil { error.sourceName = sourceName }
      return errorFormat == .json ? renderer.json(error) : renderer.text(error)
    }
    let message = Self.message(of: error)
    let place = sourceName.map { "\($0): " } ?? ""
    if errorFormat == .json {
      let code = (error as? CommandFailure)?.code ?? Self.code(of: error)
      return renderer.json(failure: code, message: place + message)
    }
    let label = color ? "\u{1B}[1;31merror:\u{1B}[0m" : "error:"
    return "\(label) \(place)\(message)"
  }

  /// The message of an error, in one or two sentences.
  static func message(of error: any Error) -> String {
    switch error {
    case let failure as ByteWindow.Failure: "cannot read \(failure.path): \(failure.reason)"
    default: String(describing: error)
    }
  }

  /// The name of the kind of error, from its case: `constraint-violated`.
  static func code(of error: any Error) -> String {
    guard error is StoreError else { return error is ByteWindow.Failure ? "unreadable-file" : "failed" }
    let name = Mirror(reflecting: error).children.first?.label ?? String(describing: error)
    guard PropertyName.isIdentifier(name) else { return "store" }
    return name.reduce(into: "") { text, letter in
      if letter.isUppercase { text += "-" }
      text += letter.lowercased()
    }
  }
}
