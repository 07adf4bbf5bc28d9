import Diagnostics
import Schema

/// What holds of every text that is read as a schema: it gives a schema that prints and reads back, or an error whose
/// places lie in it.
///
/// Shared by the fuzzing target and by the test that runs its corpus. It imports no testing library.
enum SchemaProperties {
  /// What does not hold of `text`; nil when all does.
  static func violation(_ text: String) -> String? {
    let schema: Schema
    do {
      schema = try SchemaText.parse(text)
    } catch {
      return violation(error, about: text)
    }
    let problems = schema.validate()
    // Only a valid schema promises to read back.
    if problems.contains(where: { $0.severity == .error }) { return nil }
    let printed = SchemaText.print(schema)
    do {
      let again = try SchemaText.parse(printed)
      if SchemaText.print(again) != printed { return "\(printed)\nprints as\n\(SchemaText.print(again))" }
      // A default that is NaN does not equal itself.
      if again != schema, schema == schema { return "\(printed)\nreads back as another schema" }
    } catch {
      return "\(printed)\ndoes not read back: \(error)"
    }
    return nil
  }

  private static func violation(_ error: DiagnosticError, about text: String) -> String? {
    let length = text.utf8.count
    if error.diagnostics.isEmpty { return "an error that says nothing" }
    for diagnostic in error.diagnostics {
      let ranges = diagnostic.fixes.map(\.range) + [diagnostic.range].compactMap(\.self)
      if ranges.contains(where: { $0.lowerBound < 0 || $0.upperBound > length }) {
        return "a range outside the text: \(diagnostic)"
      }
    }
    return error.description.isEmpty ? "an error renders as nothing" : nil
  }
}
