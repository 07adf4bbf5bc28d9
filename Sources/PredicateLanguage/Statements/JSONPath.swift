public import Diagnostics

/// Where something stands within an object in JSON: `tasks[2].owner.name`.
public struct JSONPath: Hashable, Sendable, CustomStringConvertible {
  /// One step on the way down.
  public enum Step: Hashable, Sendable {
    /// To the value of a property.
    case property(String)
    /// To an element of a list, counted from 0.
    case element(Int)
  }

  /// The steps from the object around all others.
  public var steps: [Step]

  /// A place; no steps are the whole object.
  public init(_ steps: [Step] = []) { self.steps = steps }

  /// The place of a property, by its dotted path, of what stands here.
  public func property(_ path: String) -> JSONPath {
    JSONPath(steps + path.split(separator: ".").map { .property(String($0)) })
  }

  /// The place of an element of the list that stands here.
  public func element(_ number: Int) -> JSONPath { appending(.element(number)) }

  /// The place one step further down.
  public func appending(_ step: Step) -> JSONPath { JSONPath(steps + [step]) }

  /// As it is written: `tasks[2].owner.name`.
  public var description: String {
    steps.reduce(into: "") { text, step in
      switch step {
      case .property(let name): text += text.isEmpty ? name : ".\(name)"
      case .element(let number): text += "[\(number)]"
      }
    }
  }

  /// Where in a statement that stands, below the value in JSON that `range` is of; the value that the way ends in when
  /// there is nothing at its end. It takes time in proportion to the text.
  ///
  /// - Parameter isName: whether it is the name of the property at its end that is wanted.
  public func range(in statement: String, from range: SourceRange, isName: Bool = false) -> SourceRange {
    var found = range.lowerBound
    var end: Int?
    var name: SourceRange?
    // What cannot be read was refused before.
    _ = try? Parser.run(statement, isStatement: true) { (parser: inout Parser) throws(ParseFailure) in
      parser.begin(at: found)
      for step in steps {
        name = nil
        guard try parser.goes(step, &name) else { break }
        found = parser.token.start
      }
      parser.begin(at: found)
      _ = try parser.jsonValue()
      end = parser.lastEnd
    }
    if isName, let name { return name }
    return end.map { SourceRange(found, $0) } ?? range
  }
}

extension Parser {
  /// Goes to a place in the text, with nothing read yet.
  fileprivate mutating func begin(at offset: Int) {
    lexer.position = min(max(offset, 0), lexer.count)
    token = lexer.next()
    readsJSON = true
  }

  /// Goes from the value in hand to that which a step leads to; false when there is none.
  fileprivate mutating func goes(
    _ step: JSONPath.Step, _ place: inout SourceRange?
  ) throws(ParseFailure) -> Bool {
    switch step {
    case .property(let name):
      guard take(.leftBrace), token.kind != .rightBrace else { return false }
      repeat {
        let found = try jsonName()
        if found.text == name {
          place = found.range
          return true
        }
        _ = try jsonValue()
      } while take(.comma)
    case .element(let number):
      guard take(.leftBracket), token.kind != .rightBracket else { return false }
      var place = 0
      repeat {
        if place == number { return true }
        _ = try jsonValue()
        place += 1
      } while take(.comma)
    }
    return false
  }
}
