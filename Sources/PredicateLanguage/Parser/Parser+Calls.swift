import Diagnostics
import Values

/// Everything written as a name with parentheses: functions, SUBQUERY, TERNARY, literals and shapes.
extension Parser {
  mutating func call(from start: Int) throws(ParseFailure) -> Node {
    let name = token
    let written = text(name)
    if let function = FunctionTable.function(written) { return .value(try apply(function, name, from: start)) }
    switch written.lowercased() {
    case "subquery": return .value(try subquery(from: start))
    case "ternary": return .value(try ternary(from: start))
    case "cast": return .value(try cast(from: start))
    case "date", "uuid", "binary", "decimal":
      return .value(try constructedLiteral(written.lowercased(), from: start))
    case "object": return .value(try object(from: start))
    case "geocircle", "geobox", "geopolygon": return .value(try shape(written.lowercased(), from: start))
    default: throw unknownFunction(written, name.range)
    }
  }

  private mutating func apply(
    _ function: PredicateFunction, _ name: Token, from start: Int
  ) throws(ParseFailure) -> ExpressionSyntax {
    advance()
    let open = token.start
    advance()
    if token.kind == .star, function.name == "count" { return try countStar(from: start, opened: open) }
    let arguments = try elements(until: .rightParenthesis, opened: open)
    if !function.arity.contains(arguments.count) {
      let needed = PredicateFunction.description(ofArity: function.arity)
      report(
        .wrongArgumentCount,
        "'\(function.name)' takes \(needed), and there \(arguments.count == 1 ? "is" : "are") \(arguments.count)",
        SourceRange(start, lastEnd))
    }
    return try expression(.call(function.name, arguments), from: start)
  }

  /// `COUNT(*)`
  private mutating func countStar(from start: Int, opened: Int) throws(ParseFailure) -> ExpressionSyntax {
    advance()
    try close(.rightParenthesis, opened: opened)
    let range = SourceRange(start, lastEnd)
    report(
      .countStar, "the number of objects is '@count'", range,
      fixes: [Fix(message: "write '@count'", range: range, replacement: "@count")])
    return try expression(.path(PathSyntax(steps: [.init(.operation("count"), range: range)])), from: start)
  }

  // MARK: SUBQUERY and TERNARY

  /// `SUBQUERY(path, $variable, predicate)` with the path after it.
  private mutating func subquery(from start: Int) throws(ParseFailure) -> ExpressionSyntax {
    advance()
    let open = token.start
    advance()
    try enter()
    var collection = try value(Level.arithmetic)
    collection = collection.named ?? collection
    if case .placeholder(.named) = collection.kind { throw unknownVariable(collection.range) }
    guard case .path(let path) = collection.kind, !isInParentheses(collection) else {
      throw fail(.expectedPath, "SUBQUERY needs the path of a collection first", collection.range)
    }
    guard take(.comma) else { throw unexpected("expected ',' and a variable such as '$x', found \(describe(token))") }
    guard token.kind == .dollarArgument, !Lexer.isDigit(lexer.byte(token.start + 1)), !isKeyPosition(token) else {
      throw unexpected("expected a variable such as '$x', found \(describe(token))", code: .expectedVariable)
    }
    let variable = text(token.start + 1, token.end)
    advance()
    guard take(.comma) else { throw unexpected("expected ',' and a predicate, found \(describe(token))") }
    variables.append(variable)
    let predicate = try condition()
    variables.removeLast()
    nesting -= 1
    try close(.rightParenthesis, opened: open)
    var tail = PathSyntax(steps: [])
    try continuePath(&tail)
    return try expression(.subquery(path, variable: variable, predicate, tail: tail), from: start)
  }

  /// `TERNARY(predicate, a, b)`
  private mutating func ternary(from start: Int) throws(ParseFailure) -> ExpressionSyntax {
    advance()
    let open = token.start
    advance()
    try enter()
    let predicate = try condition()
    guard take(.comma) else { throw unexpected("expected ',' and a value, found \(describe(token))") }
    let whenTrue = try value()
    guard take(.comma) else { throw unexpected("expected ',' and a second value, found \(describe(token))") }
    let whenFalse = try value()
    nesting -= 1
    try close(.rightParenthesis, opened: open)
    return try expression(.ternary(predicate, whenTrue, whenFalse), from: start)
  }

  // MARK: Shapes

  private mutating func shape(_ name: String, from start: Int) throws(ParseFailure) -> ExpressionSyntax {
    advance()
    let open = token.start
    advance()
    try enter()
    let shape: ShapeSyntax
    switch name {
    case "geocircle":
      let center = try value(Level.arithmetic)
      guard take(.comma) else { throw unexpected("expected ',' and a radius, found \(describe(token))") }
      let (radius, unit) = try radius()
      shape = .circle(center: center, radius: radius, unit: unit)
    case "geobox":
      let bottomLeft = try value(Level.arithmetic)
      guard take(.comma) else { throw unexpected("expected ',' and the other corner, found \(describe(token))") }
      shape = .box(bottomLeft, try value(Level.arithmetic))
    default:
      let outer = try ring()
      var holes: [[ExpressionSyntax]] = []
      while take(.comma) { holes.append(try ring()) }
      shape = .polygon(outer: outer, holes: holes)
    }
    nesting -= 1
    if token.kind == .comma { try looseCoordinates(of: shape) }
    try close(.rightParenthesis, opened: open)
    return try expression(.shape(shape), from: start)
  }

  /// `geoCircle(2.35, 48.86, 10km)`: longitude and latitude without the brackets of a point.
  private mutating func looseCoordinates(of shape: ShapeSyntax) throws(ParseFailure) {
    let (first, second): (ExpressionSyntax, ExpressionSyntax)
    switch shape {
    case .circle(let center, let radius, nil): (first, second) = (center, radius)
    case .box(let bottomLeft, let topRight): (first, second) = (bottomLeft, topRight)
    default: return
    }
    if case .point = first.kind { return }
    let range = SourceRange(first.range.lowerBound, second.range.upperBound)
    var fixes: [Fix] = []
    if case .circle = shape {
      let point = "[\(text(range))]"
      fixes = [Fix(message: "write '\(shortened(point))'", range: range, replacement: point)]
    }
    throw fail(.badPoint, "a point is written in brackets: [longitude, latitude]", range, fixes: fixes)
  }

  private mutating func ring() throws(ParseFailure) -> [ExpressionSyntax] {
    let ring = try value(Level.arithmetic)
    // The points are the argument.
    if case .placeholder = ring.kind, !isInParentheses(ring) { return [ring] }
    guard case .list(let points) = ring.kind, !isInParentheses(ring) else {
      throw fail(
        .expectedRing, "a ring of geoPolygon is a list of points", ring.range,
        notes: ["write '{[lon, lat], [lon, lat], [lon, lat]}'"])
    }
    return points
  }

  static let units = ["km", "mi", "m"]

  /// `500km`, `300mi`, `1200m`, or an expression in radians.
  private mutating func radius() throws(ParseFailure) -> (ExpressionSyntax, unit: String?) {
    let start = token.start
    var radius: ExpressionSyntax
    if token.kind == .minus, isLength(at: token.end) {
      throw fail(
        .badShape, "a radius is not negative", token.range,
        fixes: [Fix(message: "leave '-' out", range: token.range, replacement: "")])
    }
    if token.kind == .integer || token.kind == .decimal, token.flag, Lexer.startsWord(lexer.byte(token.end)) {
      token.flag = false
      radius = try number(negative: false, from: start)
    } else {
      radius = try value(Level.arithmetic)
    }
    guard token.kind == .word else { return (radius, nil) }
    let unit = text(token).lowercased()
    if !Self.units.contains(unit) {
      let meant =
        Self.foreignUnits[unit]
        ?? Suggestion.nearest(to: unit, among: Self.foreignUnits.keys.sorted()).flatMap { Self.foreignUnits[$0] }
      report(
        .unknownUnit, "'\(shortened(text(token)))' is not a unit of length here", token.range,
        notes: ["the units are km, mi and m; a bare number is in radians"],
        fixes: meant.map { [Fix(message: "write '\($0)'", range: token.range, replacement: $0)] } ?? [])
    }
    advance()
    radius.range = SourceRange(start, lastEnd)
    return (radius, unit)
  }

  /// Whether digits with a word close behind them start at `offset`.
  private func isLength(at offset: Int) -> Bool {
    var end = offset
    while Lexer.isDigit(lexer.byte(end)) || lexer.byte(end) == UInt8(ascii: ".") { end += 1 }
    let isExponent = lexer.byte(end) | 0x20 == UInt8(ascii: "e") && !Lexer.startsWord(lexer.byte(end + 1))
    return end > offset && !isExponent && Lexer.startsWord(lexer.byte(end))
  }

  /// Units by the names that other languages have for them.
  private static let foreignUnits = [
    "mile": "mi", "miles": "mi", "kilometer": "km", "kilometers": "km", "kilometre": "km", "kilometres": "km",
    "kms": "km", "meter": "m", "meters": "m", "metre": "m", "metres": "m",
  ]
}
