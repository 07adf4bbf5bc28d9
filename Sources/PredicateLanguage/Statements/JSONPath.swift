public import Diagnostics

/// A path within a JSON object: `tasks[2].owner.name`.
public struct JSONPath: Hashable, Sendable, CustomStringConvertible {
  /// A step of the path.
  public enum Step: Hashable, Sendable {
    /// To the value of a property.
    case property(String)
    /// To an element of a list, counted from 0.
    case element(Int)
  }

  /// The steps from the outermost object.
  public var steps: [Step]

  /// A path; without steps it refers to the whole object.
  public init(_ steps: [Step] = []) { self.steps = steps }

  /// The path extended by a property, given by its dotted path.
  public func property(_ path: String) -> JSONPath {
    JSONPath(steps + path.split(separator: ".").map { .property(String($0)) })
  }

  /// The path extended by a list element.
  public func element(_ number: Int) -> JSONPath { appending(.element(number)) }

  /// The path extended by a step.
  public func appending(_ step: Step) -> JSONPath { JSONPath(steps + [step]) }

  /// The path as text: `tasks[2].owner.name`.
  public var description: String {
    steps.reduce(into: "") { text, step in
      switch step {
      case .property(let name): text += text.isEmpty ? name : ".\(name)"
      case .element(let number): text += "[\(number)]"
      }
    }
  }

  /// The range in a statement of the value at this path below the JSON value at `range`. If the path leads nowhere, the
  /// range of the last value on the path. Takes time proportional to the length of the text.
  ///
  /// - Parameters:
  ///   - statement: The text of the statement.
  ///   - range: The range of the JSON value in it.
  ///   - isName: Whether to return the range of the name of the last property instead of its value.
  public func range(in statement: String, from range: SourceRange, isName: Bool = false) -> SourceRange {
    var found = range.lowerBound
    var end: Int?
    var name: SourceRange?
    // Unparsable text was rejected earlier.
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
  /// Moves to an offset and reads the first token there.
  fileprivate mutating func begin(at offset: Int) {
    lexer.position = min(max(offset, 0), lexer.count)
    token = lexer.next()
    readsJSON = true
  }

  /// Moves from the current value to the one that a step leads to. Returns false if there is none.
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
