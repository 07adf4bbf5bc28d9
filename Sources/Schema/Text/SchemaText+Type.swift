package import Diagnostics

extension SchemaText {
  /// Parses the type of a property, as after `:` in schema text, with the structs and entities of a schema.
  ///
  /// - Throws: The errors, with their ranges in `text`.
  package static func type(
    _ text: String, in schema: Schema
  ) throws(DiagnosticError) -> (type: PropertyType, isOptional: Bool) {
    var parser = SchemaParser(text)
    let syntax = parser.parseType()
    var resolver = SchemaResolver(names: (schema.entities + schema.embedded).map(\.name), parser.diagnostics)
    guard let syntax, parser.diagnostics.isEmpty,
      let found = resolver.resolve(
        syntax, inverse: nil, in: PropertySyntax(name: "", range: syntax.range, type: syntax, attributes: []))
    else { throw DiagnosticError(source: text, diagnostics: resolver.diagnostics) }
    return found
  }
}
