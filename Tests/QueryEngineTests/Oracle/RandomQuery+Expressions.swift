import PredicateLanguage
import Schema
import Values

/// Values: properties, variables, literals, and what is computed from them.
extension QueryMaker {
  func operand(_ column: Column) -> Operand? {
    switch column.kind {
    case .scalar(let type), .collection(_, let type):
      Operand(expression: path(column), type: type, samples: samples[column.path] ?? [])
    case .parts(let type, _): Operand(expression: path(column), type: type, samples: samples[column.path] ?? [])
    case .presence, .link, .links, .structs, .presences: nil
    }
  }

  /// A single value.
  mutating func operand() -> Operand {
    if !variables.isEmpty, random.once(in: 2) { return random.pick(variables) }
    switch random.below(24) {
    case 0, 1:
      if let many = source(depth: 0), let single = reduced(many) { return single }
    case 2:
      let first = operand()
      // Two Floats one of which is chosen are no Float property.
      if first.type != .float, let second = other(like: first), second.type == first.type {
        return Operand(
          expression: ExpressionSyntax(.ternary(comparison(depth: 0), first.expression, second.expression)),
          type: first.type, samples: first.samples)
      }
    case 3:
      let texts = scalars.filter { $0.kind == .scalar(.string) }
      if let text = texts.randomElement(using: &random) {
        if random.once(in: 3), let other = other(like: Operand(expression: path(text), type: .string)) {
          let parts = [path(text), other.expression] + (random.once(in: 2) ? [literal(.string("-"))] : [])
          return Operand(
            expression: ExpressionSyntax(.call("concat", parts.shuffled(using: &random))), type: .string,
            samples: samples[text.path] ?? [])
        }
        let expression =
          random.once(in: 2)
          ? call(random.pick(["uppercase", "lowercase", "firstLetter", "trim"]), path(text)) : edited(path(text))
        return Operand(expression: expression, type: .string, samples: samples[text.path] ?? [])
      }
    case 4:
      let dates = scalars.filter { $0.kind == .scalar(.date) }
      if let date = dates.randomElement(using: &random) {
        if random.once(in: 2) { return bucket(date) }
        let seconds = literal(random.once(in: 2) ? .int(Int64(random.below(9) * 86_400)) : .double(0.25))
        let operation = random.pick([BinaryOperator.add, .subtract])
        return Operand(
          expression: .binary(operation, path(date), seconds), type: .date, samples: samples[date.path] ?? [])
      }
    case 5 where random.once(in: 3):
      return Operand(
        expression: ExpressionSyntax(.path(PathSyntax(steps: [PathSyntax.Step(.operation("type"))]))), type: .string,
        samples: [.string(entity.name)])
    case 6 where random.once(in: 3): return Operand(expression: ExpressionSyntax(.call("now", [])), type: .date)
    case 7:
      if let first = scalars.compactMap(operand).randomElement(using: &random), let second = other(like: first),
        first.type != .decimal, second.type != .decimal
      {
        return coalesced(first, second)
      }
    default: break
    }
    let column = self.column()
    return operand(column) ?? operand(random.pick(scalars)) ?? Operand(expression: literal(.int(1)), type: .int)
  }

  /// Another single value of that kind: of its type, or a number where it is one.
  mutating func other(like operand: Operand) -> Operand? {
    let fitting = scalars.compactMap(self.operand) + variables
    return fitting.filter { $0.type == operand.type || ($0.type.isNumeric && operand.type.isNumeric) }
      .randomElement(using: &random)
  }

  /// A text with a part taken out of it, or another put in.
  private mutating func edited(_ text: ExpressionSyntax) -> ExpressionSyntax {
    let texts = ["", "a", "e", "i", " ", "an", "é", "Zo"]
    if random.once(in: 2) {
      return ExpressionSyntax(
        .call("replace", [text, literal(.string(random.pick(texts))), literal(.string(random.pick(texts + ["-é-"])))]))
    }
    let start = random.once(in: 6) ? call("length", text) : literal(.int(Int64(random.below(6)) - 2))
    let length = random.once(in: 3) ? [] : [literal(.int(Int64(random.below(6)) - 1))]
    return ExpressionSyntax(.call("substring", [text, start] + length))
  }

  /// The start of the period around a date.
  private mutating func bucket(_ date: Column) -> Operand {
    let period = random.pick(["second", "Minute", "hour", "day", "week", "month", "QUARTER", "year"])
    let starts = (samples[date.path] ?? []).compactMap { sample in
      if case .date(let instant) = sample { OracleDates.bucket(instant, period).map(Value.date) } else { nil }
    }
    return Operand(
      expression: ExpressionSyntax(.call("bucket", [path(date), literal(.string(period))])), type: .date,
      samples: starts + (samples[date.path] ?? []))
  }

  /// The first of two values that is not nil.
  private mutating func coalesced(_ first: Operand, _ second: Operand) -> Operand {
    let isOne = first.type == second.type && first.type != .float
    let sample = second.samples.first { !$0.isNull }
    let other = isOne && random.once(in: 2) ? sample.map { literal($0) } : nil
    return Operand(
      expression: ExpressionSyntax(.call("coalesce", [first.expression, other ?? second.expression])),
      type: isOne || !first.type.isNumeric ? first.type : .double, samples: first.samples)
  }

  // MARK: Numbers

  mutating func numeric(depth: Int) -> ExpressionSyntax? {
    if depth == 0 || random.once(in: 3) { return number() }
    switch random.below(9) {
    case 0:
      guard let operand = numeric(depth: depth - 1), !isLiteral(operand) else { return nil }
      return ExpressionSyntax(.unary(.negate, operand))
    case 1, 2:
      guard let operand = numeric(depth: depth - 1) else { return nil }
      if random.once(in: 4) {
        return ExpressionSyntax(.call("round", [operand, literal(.int(Int64(random.below(7)) - 3))]))
      }
      return call(
        random.pick(["abs", "ceiling", "floor", "round", "trunc", "sqrt", "exp", "ln", "log"]), operand)
    case 3:
      guard let first = numeric(depth: depth - 1), let second = numeric(depth: depth - 1) else { return nil }
      return ExpressionSyntax(.call(random.pick(["modulus:by:", "raise:toPower:"]), [first, second]))
    case 4:
      guard let first = numeric(depth: depth - 1), let second = numeric(depth: depth - 1) else { return nil }
      return ExpressionSyntax(.ternary(comparison(depth: 0), first, second))
    case 5: return bits()
    case 6:
      guard let first = numeric(depth: depth - 1), let second = numeric(depth: depth - 1) else { return nil }
      let name = random.pick(["sum", "count", "min", "max", "average", "median", "stddev"])
      return ExpressionSyntax(.call(name, [first, second] + (random.once(in: 2) ? [literal(.int(3))] : [])))
    default:
      guard let first = numeric(depth: depth - 1), let second = numeric(depth: depth - 1) else { return nil }
      return .binary(random.pick([BinaryOperator.add, .subtract, .multiply, .divide, .power]), first, second)
    }
  }

  private mutating func number() -> ExpressionSyntax? {
    let numbers = (scalars.compactMap(operand) + variables).filter(\.type.isNumeric)
    let texts = (scalars.compactMap(operand) + variables).filter { $0.type == .string }
    let dates = (scalars.compactMap(operand) + variables).filter { $0.type == .date }
    switch random.below(8) {
    case 0 where !texts.isEmpty:
      let text = random.pick(texts)
      return (random.once(in: 2) ? length(of: text)?.expression : nil) ?? call("length", text.expression)
    case 1 where !dates.isEmpty:
      if random.once(in: 4) { return .binary(.subtract, random.pick(dates).expression, random.pick(dates).expression) }
      return call(
        random.pick(["year", "year", "month", "day", "hour", "minute", "second", "weekday"]),
        random.pick(dates).expression)
    case 2: return literal(random.once(in: 2) ? .int(RandomValues.integer(&random)) : finite())
    case 3, 4:
      guard let many = source(depth: 1) else { return nil }
      if random.once(in: 2) { return count(of: many) }
      guard let single = reduced(many), single.type.isNumeric else { return count(of: many) }
      return single.expression
    default: return numbers.randomElement(using: &random)?.expression
    }
  }

  private mutating func bits() -> ExpressionSyntax? {
    let integers = (scalars.compactMap(operand) + variables).filter(\.type.isInteger)
    guard let integer = integers.randomElement(using: &random)?.expression else { return nil }
    let number = literal(.int(Int64(random.below(70)) - 2))
    switch random.below(3) {
    case 0: return ExpressionSyntax(.unary(.complement, integer))
    case 1:
      let name = random.pick([
        "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:", "rightshift:by:",
      ])
      return ExpressionSyntax(.call(name, [integer, number]))
    default:
      return .binary(random.pick([BinaryOperator.shiftLeft, .shiftRight, .bitAnd, .bitOr, .bitXor]), integer, number)
    }
  }

  private mutating func finite() -> Value {
    let number = RandomValues.double(&random)
    return .double(number.isFinite ? number : 0.5)
  }

  private func isLiteral(_ expression: ExpressionSyntax) -> Bool {
    if case .literal = expression.kind { return true }
    return false
  }

  // MARK: Literals and paths

  mutating func literal(_ value: Value) -> ExpressionSyntax {
    if style == .literals || random.once(in: 2) { return ExpressionSyntax(.literal(value)) }
    return argument(value)
  }

  mutating func argument(_ value: Value) -> ExpressionSyntax {
    if style == .named {
      let name = "v\(arguments.named.count)"
      arguments.named[name] = value
      return ExpressionSyntax(.placeholder(.named(name)))
    }
    arguments.positional.append(value)
    return ExpressionSyntax(.placeholder(.positional(arguments.positional.count - 1)))
  }

  func argumentValue(_ expression: ExpressionSyntax) -> Value? {
    switch expression.kind {
    case .placeholder(.positional(let number)): arguments.positional[number]
    case .placeholder(.named(let name)): arguments.named[name]
    default: nil
    }
  }

  func path(_ column: Column) -> ExpressionSyntax {
    ExpressionSyntax(
      .path(PathSyntax(steps: column.path.split(separator: ".").map { PathSyntax.Step(.name(String($0))) })))
  }

  func call(_ name: String, _ operand: ExpressionSyntax) -> ExpressionSyntax {
    ExpressionSyntax(.call(name, [operand]))
  }
}
