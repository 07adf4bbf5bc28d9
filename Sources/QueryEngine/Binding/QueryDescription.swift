package import Diagnostics
package import PredicateLanguage
internal import Values

/// A query as written: an entity and the stages applied to its objects, in order.
///
/// It does not depend on a schema; `CompiledQuery` looks up the names.
package struct QueryDescription: Sendable {
  /// One stage, applied to the result of the stages before it.
  package enum Stage: Sendable {
    /// Keeps the objects for which the predicate holds.
    case filter(PredicateSyntax, SourceContext)
    /// Sorts the objects; the sort is stable.
    case sort([SortKeySyntax], SourceContext)
    /// Keeps the first object of each group of equal values.
    case distinct([ExpressionSyntax], SourceContext)
    /// Skips `offset` and keeps at most `limit`; neither is negative.
    case window(offset: Int, limit: Int?)
  }

  /// The entity's name.
  package var entity: String
  /// The text that names the entity, and the name's range in it, for the error about an unknown entity.
  package var entitySource: (text: String, range: SourceRange)?
  /// Whether the entity comes from a model. If the store lacks it, the error says that the store was opened without the
  /// model.
  let isOfModel: Bool
  /// The stages, first to last.
  package var stages: [Stage]

  package init(
    entity: String, isOfModel: Bool = false, stages: [Stage] = [],
    entitySource: (text: String, range: SourceRange)? = nil
  ) {
    self.entity = entity
    self.isOfModel = isOfModel
    self.stages = stages
    self.entitySource = entitySource
  }

  /// The placeholders of a predicate and its tails.
  package static func placeholders(in filter: FilterSyntax) -> Set<Placeholder> {
    let isFilled = filter.tails.isEmpty && filter.predicate?.isSimple ?? true
    return isFilled ? [] : Set(filter.placeholders().map(\.placeholder))
  }

  /// Adds a predicate and its tails, whose LIMIT and OFFSET may be placeholders.
  ///
  /// - Parameter placeholders: The placeholders of `filter`, if known.
  package mutating func append(
    _ filter: FilterSyntax, _ context: SourceContext, placeholders: Set<Placeholder>? = nil
  ) throws(DiagnosticError) {
    // Every stage knows the placeholders of all others, so an argument counts as used wherever its placeholder stands.
    let context = context.arguments.isEmpty ? context : context.using(placeholders ?? Self.placeholders(in: filter))
    var stages: [Stage] = []
    if let predicate = filter.predicate { stages.append(.filter(predicate, context)) }
    for tail in filter.tails {
      switch tail {
      case .filter(let predicate): stages.append(.filter(predicate, context))
      case .sort(let keys): stages.append(.sort(keys, context))
      case .distinct(let values): stages.append(.distinct(values, context))
      case .window(let offset, let limit):
        let offset = try offset.map { syntax throws(DiagnosticError) in try context.count(syntax, of: "OFFSET") }
        let limit = try limit.map { syntax throws(DiagnosticError) in try context.count(syntax, of: "LIMIT") }
        stages.append(.window(offset: offset ?? 0, limit: limit))
      }
    }
    self.stages += stages
  }
}

/// The text that a syntax tree was read from, with the values of its placeholders and `$names`.
///
/// Immutable, and a class because every stage of a query refers to it and queries are copied when they are refined.
package final class SourceContext: Sendable {
  /// The text; empty for a tree made by code.
  package let source: String
  /// The values of the placeholders.
  package let arguments: Arguments
  /// Predicates named by LET.
  package let definitions: [String: PredicateSyntax]
  /// Placeholders that other parts of the same text use.
  package let usedElsewhere: Set<Placeholder>
  /// Whether unused arguments are an error. False if one argument list serves several statements.
  package let refusesExtraArguments: Bool

  package init(
    source: String, arguments: Arguments = Arguments(), definitions: [String: PredicateSyntax] = [:],
    usedElsewhere: Set<Placeholder> = [], refusesExtraArguments: Bool = true
  ) {
    self.source = source
    self.arguments = arguments
    self.definitions = definitions
    self.usedElsewhere = usedElsewhere
    self.refusesExtraArguments = refusesExtraArguments
  }

  /// A context for the same text that knows of placeholders in other parts of it.
  package func using(_ placeholders: Set<Placeholder>) -> SourceContext {
    if placeholders.isEmpty { return self }
    return SourceContext(
      source: source, arguments: arguments, definitions: definitions,
      usedElsewhere: usedElsewhere.isEmpty ? placeholders : usedElsewhere.union(placeholders),
      refusesExtraArguments: refusesExtraArguments)
  }

  /// Evaluates the expression of a LIMIT or OFFSET: an integer literal or argument that is not negative.
  package func count(_ syntax: ExpressionSyntax, of clause: String) throws(DiagnosticError) -> Int {
    var substitution = ArgumentSubstitution(context: self) { _ in false }
    let expression = substitution.expression(syntax)
    if let error = substitution.error { throw error }
    if case .literal(.int(let count)) = expression.kind, count >= 0 { return Int(count) }
    let given = "\(argument(syntax)) is \(expression.readableFormat)"
    let diagnostic =
      if case .literal(.int) = expression.kind {
        Diagnostic(code: .invalidCount, message: "\(given), and \(clause) takes 0 or more", range: syntax.range)
      } else {
        Diagnostic(
          code: .typeMismatch, message: "\(given), which is not a whole number, as \(clause) needs", range: syntax.range
        )
      }
    throw DiagnosticError(source: source, diagnostic)
  }

  /// A name for a placeholder in an error.
  private func argument(_ syntax: ExpressionSyntax) -> String {
    switch syntax.kind {
    case .placeholder(.sequential(let index, _)), .placeholder(.positional(let index)): "argument \(index + 1)"
    case .placeholder(.named(let name)): "$\(name)"
    default: "this"
    }
  }
}
