public import Diagnostics

/// Schemas as text: the Swift source that declares the models, so that one file serves the compiler and the command.
///
/// It reads the declarations of stored properties and indexes. All other parts of a Swift file (methods, computed
/// properties, extensions, other types) are skipped. The grammar is `Grammar/Schema.ebnf`.
public enum SchemaText {
  /// The schema that `text` declares.
  ///
  /// A struct that other structs contain as a plain property is embedded when it has no index or inverse of its own and
  /// nothing links to it; every other struct is an entity. `@Model(.entity)` and `@Model(.embedded)` override this.
  /// Indexes that attributes declare come before those of `#Index` and `#Unique`, each in the order of the text.
  /// - Parameter name: A name for the text in errors, such as a file name.
  /// - Throws: All errors in the text, each with its place.
  public static func parse(_ text: String, name: String? = nil) throws(DiagnosticError) -> Schema {
    var parser = SchemaParser(text)
    parser.parseFile()
    var resolver = SchemaResolver(parser)
    let schema = resolver.resolve()
    let errors = resolver.diagnostics.filter { $0.severity == .error }
    guard errors.isEmpty else {
      let sorted = errors.sorted { ($0.range?.lowerBound ?? 0) < ($1.range?.lowerBound ?? 0) }
      throw DiagnosticError(source: text, sourceName: name, diagnostics: Self.kept(sorted))
    }
    return schema
  }

  /// The first of many errors: a text that is not a schema may have an error at every word.
  private static func kept(_ errors: [Diagnostic]) -> [Diagnostic] {
    guard errors.count > maximumErrors else { return errors }
    var kept = Array(errors.prefix(maximumErrors))
    kept[maximumErrors - 1].notes.append("and \(errors.count - maximumErrors) more errors")
    return kept
  }

  /// The maximum number of errors reported for one text.
  private static let maximumErrors = 20

  /// The source text of `schema`. Reading it gives an equal schema if the schema is valid.
  public static func print(_ schema: Schema) -> String { SchemaPrinter.print(schema) }
}
