import Diagnostics
import PredicateLanguage
import QueryEngine
import Storage
import Values

/// What holds of every text that is asked of a store: it gives an answer, or an error whose places lie in it; the query
/// as the engine prints it gives the same answer, and so does every other plan.
///
/// Shared by the fuzzing target and by the test that runs its corpus. It imports no testing library.
struct QueryProperties {
  private let file: StoreFile

  /// A small store in memory with every kind of property.
  init() throws { file = try FuzzedStore.file() }

  /// What does not hold of `text`; nil when all does.
  func violation(_ text: String) -> String? {
    guard let tree = try? PredicateParser.filter(text) else { return nil }
    if let predicate = tree.predicate, let found = ArgumentProperties.violation(predicate, text) { return found }
    do {
      let query = try compile(tree, text)
      let printed = query.predicateFormat
      let found = Self.isBounded(printed) ? try objects(query) : nil
      // What an argument or a time gave is in the printed form; only that form is compared with itself.
      let again: CompiledQuery
      do {
        again = try compile(try PredicateParser.filter(printed), printed)
      } catch {
        return "\(printed) does not read back: \(error)"
      }
      if again.predicateFormat != printed { return "\(printed) prints as \(again.predicateFormat)" }
      if let found, !printed.contains("now("), try objects(again) != found { return "\(printed) finds others" }
    } catch let error as DiagnosticError {
      if error.diagnostics.isEmpty { return "an error that says nothing" }
      for diagnostic in error.diagnostics {
        let ranges = diagnostic.fixes.map(\.range) + [diagnostic.range].compactMap(\.self)
        if ranges.contains(where: { $0.lowerBound < 0 || $0.upperBound > text.utf8.count }) {
          return "a range outside the text: \(diagnostic)"
        }
      }
      if error.description.isEmpty { return "an error renders as nothing" }
    } catch let error as Disagreement {
      return error.description
    } catch {
      return "a store failed: \(error)"
    }
    return nil
  }

  private func compile(_ tree: FilterSyntax, _ text: String) throws -> CompiledQuery {
    let arguments = Arguments(
      (0..<3).map { .int($0) }, named: ["x": .double(1.5), "name": .string("x"), "list": .list([.int(1), .null])])
    let context = SourceContext(
      source: text, arguments: arguments,
      definitions: [
        "big": try PredicateParser.predicate("magnitude > 6 OR $small"),
        "small": PredicateSyntax(.not(PredicateSyntax(.constant(true)))),
      ],
      refusesExtraArguments: false)
    var description = QueryDescription(entity: "Quake")
    try description.append(tree, context)
    return try CompiledQuery(description, schema: try file.beginSnapshot().schema)
  }

  /// The objects that every plan finds.
  private func objects(_ query: CompiledQuery) throws -> [UInt64] {
    let snapshot = try file.beginSnapshot()
    let plan = try query.plan(in: snapshot)
    let found = try plan.objects(in: snapshot).map(\.rawValue)
    if query.predicateFormat.contains("now(") { return found }
    if try plan.count(in: snapshot) != found.count { throw Disagreement("counts others than it finds") }
    for number in 0..<(try query.planCount(in: snapshot)) {
      let other = try query.plan(in: snapshot, options: PlannerOptions(access: .enumerated(number)))
      if try other.objects(in: snapshot).map(\.rawValue) != found {
        throw Disagreement("plan \(number) finds others:\n\(other.explanation.text)")
      }
    }
    return found
  }

  /// Two ways to one answer that give two.
  private struct Disagreement: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// Whether asking comes to an end in time: what is inside several SUBQUERYs is asked for each element of all of them.
  private static func isBounded(_ printed: String) -> Bool {
    printed.split(separator: "SUBQUERY", maxSplits: 4).count < 4
  }
}
