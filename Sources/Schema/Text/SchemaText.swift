public import Diagnostics

/// Schemas as text: the Swift that declares the models, so that one file serves the compiler and the command.
///
/// What is read is the declaration of stored properties and indexes. Whatever else a Swift file has (methods, computed
/// properties, extensions, other types) is passed over. The grammar is `Grammar/Schema.ebnf`.
public enum SchemaText {
  /// The schema that `text` declares.
  ///
  /// A struct that other structs hold as a plain property is embedded when it has no index, link or inverse of its own;
  /// every other struct is an entity. `@Model(.entity)` and `@Model(.embedded)` say it outright.
  /// - Parameter name: a name for the text in errors, such as a file's.
  /// - Throws: everything that is wrong with the text, each with its place.
  public static func parse(_ text: String, name: String? = nil) throws(DiagnosticError) -> Schema {
    throw DiagnosticError(source: text, sourceName: name, Diagnostic(code: "unsupported", message: "not read yet"))
  }

  /// The declarations of `schema`. Reading them back gives an equal schema when it is valid.
  public static func print(_ schema: Schema) -> String { "" }
}
