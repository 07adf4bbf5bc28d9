import Diagnostics
import PredicateLanguage

/// What holds of every text whatsoever: it gives a tree that prints and reads back, or an error whose places lie in it.
///
/// Shared by the fuzzing target and by the test that runs its corpus. It imports no testing library.
enum LanguageProperties {
  /// What does not hold of `text`; nil when all does.
  static func violation(_ text: String) -> String? {
    if let found = filter(text) { return found }
    for defaultEntity in [nil, "Quake"] {
      if let found = statement(text, defaultEntity: defaultEntity) { return found }
    }
    return script(text)
  }

  /// What does not hold of an error about `text`.
  static func violation(_ error: DiagnosticError, about text: String) -> String? {
    let length = text.utf8.count
    if !sameBytes(error.source, text) { return "the error is about another text: \(error.source)" }
    if error.diagnostics.isEmpty { return "an error that says nothing" }
    for diagnostic in error.diagnostics {
      let ranges = diagnostic.fixes.map(\.range) + [diagnostic.range].compactMap(\.self)
      if ranges.contains(where: { $0.lowerBound < 0 || $0.upperBound > length }) {
        return "a range outside the text: \(diagnostic)"
      }
      if diagnostic.message.isEmpty { return "a diagnostic without words" }
    }
    if error.description.isEmpty || DiagnosticRenderer().json(error).isEmpty { return "an error renders as nothing" }
    return nil
  }

  private static func filter(_ text: String) -> String? {
    let tree: FilterSyntax
    do {
      tree = try PredicateParser.filter(text)
    } catch {
      return violation(error, about: text)
    }
    let printed = tree.predicateFormat
    do {
      let again = try PredicateParser.filter(printed)
      if !sameBytes(again.predicateFormat, printed) { return "\(printed) prints as \(again.predicateFormat)" }
      if again != tree { return "\(printed) reads back as another tree" }
    } catch {
      return "\(printed) does not read back: \(error)"
    }
    return nil
  }

  private static func statement(_ text: String, defaultEntity: String?) -> String? {
    let tree: StatementSyntax
    do {
      tree = try StatementParser.statement(text, defaultEntity: defaultEntity)
    } catch {
      return violation(error, about: text)
    }
    let printed = tree.description
    do {
      let again = try StatementParser.statement(printed, defaultEntity: defaultEntity)
      if !sameBytes(again.description, printed) { return "\(printed) prints as \(again.description)" }
      if again != tree { return "\(printed) reads back as another statement" }
    } catch {
      return "\(printed) does not read back: \(error)"
    }
    return nil
  }

  private static func script(_ text: String) -> String? {
    var end = 0
    for piece in StatementParser.split(text) {
      if piece.range.lowerBound < end || piece.range.upperBound > text.utf8.count { return "pieces overlap: \(piece)" }
      end = piece.range.upperBound
    }
    return nil
  }

  /// Texts compare by their bytes here, not by what Unicode counts as equal.
  private static func sameBytes(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
}
