internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// Prints a plan as lines in columns or as JSON, with the counters of a run if there are any.
struct PlanPrinter {
  let plan: Plan
  let metrics: ExecutionMetrics?

  init(_ plan: Plan, metrics: ExecutionMetrics?) {
    self.plan = plan
    self.metrics = metrics
  }

  private var root: PlanNode { metrics?.gaveUp == true ? plan.fallback ?? plan.root : plan.root }

  var explanation: Explanation { Explanation(text: text, json: json) }

  /// A node's name, its details, and the index it uses.
  private func words(_ node: PlanNode) -> (name: String, detail: String, via: String?) {
    switch node.kind {
    case .nothing: return ("Nothing", "the condition cannot hold", nil)
    case .scan: return ("Scan", plan.entity.name, nil)
    case .given(let objects): return ("Given", "\(objects.count) of \(plan.entity.name)", nil)
    case .indexRange(let range): return ("IndexRange", detail(range), range.index.name)
    case .indexSearch(let search):
      let path = search.index.name
      return (type(of: search).names.node, "\(plan.entity.name).\(path) \(search.description)", path)
    case .indexUnion: return ("IndexUnion", "", nil)
    case .indexIntersection: return ("IndexIntersection", "", nil)
    case .inverseWalk(let walk):
      return ("InverseWalk", "\(plan.entity.name).\(plan.entity.columns[walk.column].path)", nil)
    case .indexOrder(let range, let descending):
      return ("IndexOrder", detail(range) + (descending ? " descending" : ""), range.index.name)
    case .indexKeys(let range): return ("IndexKeys", detail(range), range.index.name)
    case .indexEnds(let ends):
      let via = ends.indexes.map(\.name).joined(separator: ", ")
      if let range = ends.range, ends.values.isEmpty { return ("IndexCount", detail(range), via) }
      let columns = ends.values.map { "\(plan.entity.name).\(plan.entity.columns[$0.column].path)" }
      return ("IndexMinMax", columns.joined(separator: ", ") + (ends.range.map { " where \(detail($0))" } ?? ""), via)
    case .filter(let conjuncts):
      let parts = conjuncts.map(\.predicate.syntax).flatMap { syntax -> [PredicateSyntax] in
        if case .and(let inner) = syntax.kind { inner } else { [syntax] }
      }
      let predicate = (parts.count == 1 ? parts[0] : PredicateSyntax(.and(parts))).readableFormat
      let letters = conjuncts.compactMap(\.predicate.requiredText)
      return ("Filter", predicate + letters.map { ", in texts with \(IntervalText.text($0))" }.joined(), nil)
    case .group(let grouping):
      let keys = list(grouping.keySyntax)
      return ("Group", keys.isEmpty ? "all" : "by " + keys, nil)
    case .having(_, let syntax): return ("Having", syntax.readableFormat, nil)
    case .sort(let keys): return ("Sort", self.keys(keys), nil)
    case .topK(let keys, let count): return ("TopK", "\(count) by \(self.keys(keys))", nil)
    case .distinct(_, let syntax): return ("Distinct", list(syntax), nil)
    case .window(let offset, let limit):
      let parts = [offset > 0 ? "offset \(offset)" : nil, limit.map { "limit \($0)" }].compactMap(\.self)
      return ("Window", parts.joined(separator: " "), nil)
    case .select(_, let headings): return ("Select", headings.joined(separator: ", "), nil)
    case .sections(_, let syntax): return ("Sections", syntax.readableKey, nil)
    case .statement(.count): return ("Count", "", nil)
    case .statement(.delete): return ("Delete", "", nil)
    case .statement(.update(let paths, _)): return ("Update", paths.joined(separator: ", "), nil)
    case .statement(.insert): return ("Insert", plan.entity.name, nil)
    }
  }

  private func list(_ expressions: [ExpressionSyntax]) -> String {
    expressions.map(\.readableFormat).joined(separator: ", ")
  }

  /// The index or indexes that a node's objects come from, or the scan.
  private func path(_ node: PlanNode) -> String {
    let source = node.source
    let indexes = ([source] + source.children).compactMap { words($0).via }
    return indexes.isEmpty
      ? "the scan" : (indexes.count == 1 ? "index " : "indexes ") + indexes.joined(separator: ", ")
  }

  private func detail(_ range: IndexRange) -> String {
    range.description.isEmpty
      ? plan.entity.name : range.description.map { "\(plan.entity.name).\($0)" }.joined(separator: ", ")
  }

  private func keys(_ keys: [BoundSortKey]) -> String {
    keys.isEmpty
      ? "insertion"
      : keys.map { $0.syntax.readableKey + ($0.ascending ? "" : " DESC") }.joined(separator: ", ")
  }

  // MARK: Text

  /// A line of text: its label and its columns.
  struct Line {
    var label: String
    var columns: [String]
  }

  private var text: String {
    var lines: [Line] = []
    collect(root, indent: "", first: "", into: &lines)
    let labelWidth = lines.map { $0.label.count }.max() ?? 0
    let columnCount = lines.map(\.columns.count).max() ?? 0
    let widths = (0..<columnCount).map { column in
      lines.map { $0.columns.indices.contains(column) ? $0.columns[column].count : 0 }.max() ?? 0
    }
    var output = lines.map { line -> String in
      var text = line.label + String(repeating: " ", count: labelWidth - line.label.count)
      for (column, cell) in line.columns.enumerated() {
        text += "   " + cell + String(repeating: " ", count: widths[column] - cell.count)
      }
      while text.last == " " { text.removeLast() }
      return text
    }
    if !plan.rejected.isEmpty {
      let shown = plan.rejected.prefix(3).map { "\($0.name), cost \(Self.cost($0.cost))" }.joined(separator: "; ")
      let more = plan.rejected.count > 3 ? "; \(plan.rejected.count - 3) more" : ""
      output.append("cost \(Self.cost(plan.cost)); rejected: \(shown)\(more)")
    }
    for warning in plan.warnings { output.append("warning: \(warning.message)") }
    if let metrics {
      if metrics.gaveUp { output.append("the index walk was abandoned for \(plan.fallback.map(path) ?? "the scan")") }
      output.append("time \(Self.time(metrics.elapsed))")
    }
    return output.joined(separator: "\n")
  }

  func collect(_ node: PlanNode, indent: String, first: String, into lines: inout [Line]) {
    let words = words(node)
    var columns: [String] = ["est \(Self.count(node.rows))"]
    if let metrics {
      let counters = metrics.nodes[node.id]
      columns.append(counters.ran ? "actual \(counters.rows)" : "not run")
      let clusters = counters.clustersRead + counters.clustersWithout
      columns.append(
        clusters == 0 ? "" : "clusters \(counters.clustersRead) of \(clusters)")
    }
    columns.append(words.via.map { "via index \($0)" } ?? rowByRow(node).note)
    lines.append(Line(label: first + words.name + (words.detail.isEmpty ? "" : "  " + words.detail), columns: columns))
    let steps = linkSteps(node)
    for (place, step) in steps.enumerated() {
      let isLast = node.children.isEmpty && place == steps.count - 1
      collect(
        step, indent: indent + (isLast ? "   " : "│  "), first: indent + (isLast ? "└─ " : "├─ "), into: &lines)
    }
    for (place, child) in node.children.enumerated() {
      let isLast = place == node.children.count - 1
      collect(
        child, indent: indent + (isLast ? "   " : "│  "), first: indent + (isLast ? "└─ " : "├─ "), into: &lines)
    }
  }

  static func count(_ rows: Double) -> String { "\(Int(max(0, min(rows, 1e15)).rounded()))" }

  /// A cost in nanoseconds, rounded.
  private static func cost(_ cost: Double) -> String { count(cost) }

  private static func time(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let microseconds = Double(seconds) * 1e6 + Double(attoseconds) / 1e12
    if microseconds < 1000 { return "\(Int(microseconds.rounded())) µs" }
    let hundredths = Int((microseconds / 10).rounded())
    return "\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10) ms"
  }

  // MARK: JSON

  private var json: String {
    var fields = [
      "\"version\":1", "\"entity\":\(JSONText.quoted(plan.entity.name))", "\"cost\":\(Self.cost(plan.cost))",
    ]
    fields.append("\"plan\":\(json(root))")
    let rejected = plan.rejected.map { "{\"name\":\(JSONText.quoted($0.name)),\"cost\":\(Self.cost($0.cost))}" }
    fields.append("\"rejected\":[\(rejected.joined(separator: ","))]")
    fields.append("\"warnings\":[\(plan.warnings.map { JSONText.quoted($0.message) }.joined(separator: ","))]")
    if let metrics {
      let (seconds, attoseconds) = metrics.elapsed.components
      fields.append("\"microseconds\":\(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)")
      fields.append("\"gaveUpIndex\":\(metrics.gaveUp)")
    }
    return "{\(fields.joined(separator: ","))}"
  }

  func json(_ node: PlanNode) -> String {
    let words = words(node)
    var fields = ["\"node\":\(JSONText.quoted(words.name))"]
    if !words.detail.isEmpty { fields.append("\"detail\":\(JSONText.quoted(words.detail))") }
    if let via = words.via { fields.append("\"index\":\(JSONText.quoted(via))") }
    let byRow = rowByRow(node).parts.map(JSONText.quoted)
    if !byRow.isEmpty { fields.append("\"rowByRow\":[\(byRow.joined(separator: ","))]") }
    fields.append("\"estimate\":\(Self.count(node.rows))")
    if let counters = metrics?.nodes[node.id], counters.ran {
      fields.append("\"actual\":\(counters.rows)")
      fields.append("\"clustersRead\":\(counters.clustersRead),\"clustersWithout\":\(counters.clustersWithout)")
    }
    let children = linkSteps(node).map { json($0) } + node.children.map { json($0) }
    if !children.isEmpty { fields.append("\"children\":[\(children.joined(separator: ","))]") }
    return "{\(fields.joined(separator: ","))}"
  }
}
