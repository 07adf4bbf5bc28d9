package import Diagnostics
package import PredicateLanguage
internal import Values

/// A query as written: an entity and the stages that its objects pass, in order.
///
/// It knows no schema; `CompiledQuery` looks up its names.
package struct QueryDescription: Sendable {
  /// One step, applied to the result of those before it.
  package enum Stage: Sendable {
    /// Keeps the objects for which the predicate holds.
    case filter(PredicateSyntax, SourceContext)
    /// Orders them; ties keep the order they had.
    case sort([SortKeySyntax], SourceContext)
    /// Keeps the first of each group of equal values.
    case distinct([ExpressionSyntax], SourceContext)
    /// Skips `offset` and keeps at most `limit`; neither is negative.
    case window(offset: Int, limit: Int?)
  }

  /// The entity's name.
  package var entity: String
  /// The text that names the entity, and where in it the name stands: for the error about an unknown one.
  package var entitySource: (text: String, range: SourceRange)?
  /// Whether the entity is that of a model, so that the store must have been opened without it where it has none such.
  let isOfModel: Bool
  /// The steps, first to last.
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
    return isFilled ? [] : PlaceholderUse.placeholders(in: filter)
  }

  /// Adds a predicate and its tails, whose LIMIT and OFFSET may be placeholders.
  ///
  /// - Parameter placeholders: Those in it, where they are known.
  package mutating func append(
    _ filter: FilterSyntax, _ context: SourceContext, placeholders: Set<Placeholder>? = nil
  ) throws(DiagnosticError) {
    // Every part knows the placeholders of all the others, so that an argument counts as used wherever it is.
    let context = context.using(placeholders ?? Self.placeholders(in: filter))
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

/// The text that a syntax tree was read from, with what its placeholders and `$names` stand for.
///
/// Unchanging, and one object: each step of a query has it, and queries are copied to be refined.
package final class SourceContext: Sendable {
  /// The text; empty for a tree made by code.
  package let source: String
  /// The values of its placeholders.
  package let arguments: Arguments
  /// Predicates named by LET.
  package let definitions: [String: PredicateSyntax]
  /// Placeholders that other parts of the same text use.
  package let usedElsewhere: Set<Placeholder>
  /// Whether arguments that no placeholder uses are an error. Off where one list serves several statements.
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

  /// The same text with more placeholders that its other parts use.
  package func using(_ placeholders: Set<Placeholder>) -> SourceContext {
    if placeholders.isEmpty { return self }
    return SourceContext(
      source: source, arguments: arguments, definitions: definitions,
      usedElsewhere: usedElsewhere.isEmpty ? placeholders : usedElsewhere.union(placeholders),
      refusesExtraArguments: refusesExtraArguments)
  }

  /// The number of objects that the expression of a LIMIT or OFFSET says: an integer literal or argument, not negative.
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

  /// What a placeholder stands for, in a sentence.
  private func argument(_ syntax: ExpressionSyntax) -> String {
    switch syntax.kind {
    case .placeholder(.sequential(let index, _)), .placeholder(.positional(let index)): "argument \(index + 1)"
    case .placeholder(.named(let name)): "$\(name)"
    default: "this"
    }
  }
}
