internal import Diagnostics
internal import QueryEngine

// What a query is, for people.
extension Selection {
  /// The query in the query language. What no text can say is between "…", so that reading it back throws: the error of an
  /// invalid query, and a query that starts from given objects.
  var predicateFormat: String {
    guard let linked, (try? compiled()) != nil else { return refinements }
    return description.stages.isEmpty ? "… \(linked.summary) …" : "… \(refinements) of \(linked.summary) …"
  }

  /// Its filters and tails in the query language, without the objects it starts from; the error of an invalid one.
  private var refinements: String {
    do {
      return try compiled().predicateFormat
    } catch let error as QueryError {
      return "… \(error.message) …"
    } catch {
      return "… \(error) …"
    }
  }

  /// The query of objects of this name, for people: `Quake WHERE magnitude > 5`.
  func summary(of name: String) -> String {
    let start = linked.map { "\(name) (\($0.summary))" } ?? name
    return linked != nil && failure == nil && description.stages.isEmpty ? start : "\(start) WHERE \(refinements)"
  }
}
