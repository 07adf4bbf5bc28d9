internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// Structs in the SET of an UPDATE: set as a whole from a JSON object, or to nil.
extension AssignmentBinder {
  /// Binds the assignment of a struct to assignments of its columns. Returns none after an error.
  mutating func structure(
    _ columns: [Int], _ presence: Int?, of syntax: AssignmentSyntax, _ structs: Structs
  ) -> [CompiledAssignments.Assignment] {
    let fields: [EmbeddedField]
    switch syntax.value.kind {
    case .literal(.null) where presence != nil:
      return ((presence.map { [$0] } ?? []) + columns).map {
        CompiledAssignments.Assignment(column: $0, parts: [.constant(.null)], presence: nil, syntax: syntax)
      }
    case .literal(.embedded(let given)): fields = given
    case .list(let elements) where elements.isEmpty: fields = []
    default:
      let leaf = leaf(of: syntax.path)
      binder.report(
        .typeMismatch, "'\(syntax.path)' is a struct, which this is not", syntax.range,
        notes: [
          "write all of it, as in 'SET \(syntax.path) = {\"\(leaf)\": …, …}', or one property, as in 'SET \(syntax.path).\(leaf) = …'"
        ])
      return []
    }
    let written = structs(syntax, fields)
    for mistake in written.mistakes { binder.report(mistake) }
    let around = presenceAround(syntax.path)
    return written.values.map {
      CompiledAssignments.Assignment(column: $0.column, parts: [.constant($0.value)], presence: around, syntax: syntax)
    }
  }

  /// The presence column of the innermost optional struct around a path.
  private func presenceAround(_ path: PathSyntax) -> Int? {
    path.plainNames.flatMap { presence(around: $0.joined(separator: ".")) }
  }

  /// An example of a property of a struct, for a note.
  private func leaf(of path: PathSyntax) -> String {
    let prefix = path.description + "."
    let column = entity.columns.first { $0.path.hasPrefix(prefix) }
    return column.map { String($0.path.dropFirst(prefix.count).prefix { $0 != "." }) } ?? "name"
  }
}
