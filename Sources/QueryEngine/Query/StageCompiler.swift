internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// Binds the stages of a query in order, and reports all their errors together.
struct StageCompiler {
  private let entity: StoredEntity
  private let schema: StoredSchema
  private let stages: [QueryDescription.Stage]
  private var source: String?
  private var errors: [Diagnostic] = []
  /// The stages in order, with arguments substituted.
  private var written: [TailSyntax] = []
  private(set) var warnings: [Diagnostic] = []

  private let isCancelled: (@Sendable () -> Bool)?

  init(
    entity: StoredEntity, schema: StoredSchema, stages: [QueryDescription.Stage],
    isCancelled: (@Sendable () -> Bool)? = nil
  ) {
    self.isCancelled = isCancelled
    self.entity = entity
    self.schema = schema
    self.stages = stages
  }

  /// The query's canonical form: filters before the first DISTINCT or window are one predicate, regardless of sorts
  /// between them; the other stages keep their positions.
  var format: FilterSyntax {
    let end = written.firstIndex(where: \.decidesWhatIsLeft) ?? written.endIndex
    var parts: [PredicateSyntax] = []
    var tails: [TailSyntax] = []
    for stage in written[..<end] {
      guard case .filter(let part) = stage else {
        tails.append(stage)
        continue
      }
      if case .and(let inner) = part.kind { parts += inner } else { parts.append(part) }
    }
    tails += written[end...]
    let predicate = parts.count > 1 ? PredicateSyntax(.and(parts)) : parts.first
    return FilterSyntax(predicate: predicate ?? (tails.isEmpty ? PredicateSyntax(.constant(true)) : nil), tails: tails)
  }

  /// The maximum number of stages after the leading filters; each is a level of the plan.
  private static let mostSteps = 500

  mutating func compile() throws(DiagnosticError) -> [BoundStage] {
    let steps = stages.drop { if case .filter = $0 { true } else { false } }
    if steps.count > Self.mostSteps {
      throw DiagnosticError(
        source: "",
        Diagnostic(
          code: .tooManyNodes, message: "there are more than \(Self.mostSteps) steps after the filter", range: nil,
          notes: ["SORT, DISTINCT, LIMIT with OFFSET, and each filter after those is a step"]))
    }
    var compiled: [BoundStage] = []
    var written: [TailSyntax] = []
    // Most stages have no placeholders.
    let areFilled = stages.map { stage in
      if case .filter(let predicate, let context) = stage {
        context.arguments.isEmpty && predicate.isSimple
      } else {
        false
      }
    }
    let used = placeholders(besides: areFilled)
    for (stage, isFilled) in zip(stages, areFilled) {
      switch stage {
      case .filter(let predicate, let context):
        bind(context, used) { substitution, binder in
          let predicate = isFilled ? predicate : substitution.predicate(predicate)
          binder.adaptable = substitution.textArguments
          written.append(.filter(predicate))
          compiled.append(.filter(binder.predicate(predicate)))
        }
      case .sort(let keys, let context):
        bind(context, used) { substitution, binder in
          let keys = keys.map { $0.with(substitution.expression($0.expression)) }
          written.append(.sort(keys))
          compiled.append(
            .sort(
              keys.compactMap { key in
                binder.value(key.expression, clause: "SORT").flatMap { binder.ordering($0, by: key) }.map {
                  BoundSortKey(expression: $0, ascending: key.ascending, syntax: key)
                }
              }))
        }
      case .distinct(let expressions, let context):
        bind(context, used) { substitution, binder in
          let expressions = expressions.map { substitution.expression($0) }
          written.append(.distinct(expressions))
          compiled.append(
            .distinct(expressions.flatMap { binder.values($0, clause: "DISTINCT") }, syntax: expressions))
        }
      case .window(let offset, let limit):
        written.append(Self.window(offset: offset, limit: limit))
        compiled.append(.window(offset: max(0, offset), limit: limit.map { max(0, $0) }))
      }
    }
    self.written = written
    if !errors.isEmpty { throw DiagnosticError(source: source ?? "", diagnostics: errors) }
    return compiled
  }

  /// A window as syntax.
  static func window(offset: Int, limit: Int?) -> TailSyntax {
    .window(offset: offset == 0 ? nil : count(offset), limit: limit.map(count))
  }

  private static func count(_ number: Int) -> ExpressionSyntax { ExpressionSyntax(.literal(.int(Int64(number)))) }

  /// Substitutes and binds one stage, and collects its diagnostics. Ranges refer to one text, so after an error in one
  /// text, errors in other texts are not reported.
  private mutating func bind(
    _ context: SourceContext, _ used: [String: Set<Placeholder>],
    _ body: (inout ArgumentSubstitution, inout Binder) -> Void
  ) {
    let others = used.isEmpty ? [] : used[context.source] ?? []
    var substitution = ArgumentSubstitution(context: context.using(others), isProperty: entity.hasProperty)
    var binder = Binder(entity: entity, schema: schema, source: context.source, isCancelled: isCancelled)
    body(&substitution, &binder)
    substitution.finish()
    // The literal in place of a missing argument would only cause further errors.
    let found = substitution.diagnostics.isEmpty ? binder.diagnostics : substitution.diagnostics
    for diagnostic in found {
      if diagnostic.severity == .warning {
        if !warnings.contains(diagnostic) { warnings.append(diagnostic) }
      } else if source == nil || source == context.source, !errors.contains(diagnostic) {
        source = context.source
        errors.append(diagnostic)
      }
    }
  }

  /// The placeholders of the stages, by their source text.
  ///
  /// - Parameter areFilled: Which stages are filters without placeholders.
  private func placeholders(besides areFilled: [Bool]) -> [String: Set<Placeholder>] {
    var found: [String: Set<Placeholder>] = [:]
    func add(_ references: [PlaceholderReference], of context: SourceContext) {
      found[context.source, default: []].formUnion(references.map(\.placeholder))
    }
    for (stage, isFilled) in zip(stages, areFilled) where !isFilled {
      switch stage {
      // Without arguments none can be left over.
      case .filter(_, let context) where context.arguments.isEmpty: break
      case .filter(let predicate, let context): add(predicate.placeholders(), of: context)
      case .sort(let keys, let context): add(keys.flatMap { $0.expression.placeholders() }, of: context)
      case .distinct(let expressions, let context): add(expressions.flatMap { $0.placeholders() }, of: context)
      case .window: break
      }
    }
    return found
  }
}

extension TailSyntax {
  /// Whether a filter has another result after this stage than before it.
  fileprivate var decidesWhatIsLeft: Bool {
    switch self {
    case .filter, .sort, .window(nil, nil): false
    case .distinct, .window: true
    }
  }
}

extension Binder {
  /// Binds a value to sort or group by.
  mutating func value(_ syntax: ExpressionSyntax, clause: String) -> BoundExpression? {
    guard let bound = expression(syntax) else { return nil }
    if bound.type == .list || bound.type == .structure || clause == "SORT" && !bound.type.hasOrder {
      report(
        .typeMismatch, "\(described(syntax, bound)), which \(clause) cannot order", syntax.range,
        notes: bound.type.propertyAdvice)
      return nil
    }
    return bound
  }

  /// The values to sort or group by: the properties of an embedded struct, or the expression itself.
  mutating func values(_ syntax: ExpressionSyntax, clause: String) -> [BoundExpression] {
    if let structure = structure(syntax) { return structure.distinguishing(of: entity) }
    return value(syntax, clause: clause).map { [$0] } ?? []
  }
}
