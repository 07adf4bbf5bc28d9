import Diagnostics
import PredicateLanguage
import Testing
import Values

/// Arguments fit the placeholders, or the first that does not is named.
@Suite struct PlaceholderTests {
  private func codes(_ text: String, _ arguments: Arguments, definitions: Set<String> = []) throws -> [String] {
    PlaceholderCheck.diagnostics(try PredicateParser.filter(text), arguments, definitions: definitions).map(\.code.name)
  }

  @Test func fitting() throws {
    #expect(try codes("a == %@ AND %K > %d", Arguments([.int(1), .string("b"), .int(2)])) == [])
    #expect(try codes("a == $0 AND b == $0 AND $K1 == 2", Arguments([.int(1), .string("c")])) == [])
    #expect(try codes("a == $x AND b == :y", Arguments(named: ["x": .int(1), "y": .int(2), "z": .int(3)])) == [])
    #expect(try codes("a == %@ AND b == $x", Arguments([.int(1)], named: ["x": .int(1)])) == [])
    #expect(try codes("a == 1", Arguments()) == [])
    #expect(try codes("a IN SUBQUERY(t, $t, $t.x == %@) LIMIT(%@)", Arguments([.int(1), .int(2)])) == [])
  }

  @Test func tooFew() throws {
    let tree = try PredicateParser.filter("a == %@ AND b == %@")
    let found = PlaceholderCheck.diagnostics(tree, Arguments([.int(1)]))
    #expect(found.map(\.code.name) == ["missing-argument"])
    #expect(found.first?.range == SourceRange(17, 19))
    #expect(found.first?.notes == ["1 argument is given"])
    #expect(try codes("a == $1", Arguments([.int(1)])) == ["missing-argument"])
    #expect(try codes("a == $x", Arguments(named: ["y": .int(1)])) == ["missing-argument"])
    #expect(try codes("a == $x", Arguments(), definitions: ["x"]) == [])
  }

  @Test func tooMany() throws {
    #expect(try codes("a == %@", Arguments([.int(1), .int(2)])) == ["extra-argument"])
    #expect(try codes("a == $0", Arguments([.int(1), .int(2)])) == ["extra-argument"])
    let tree = try PredicateParser.filter("a == '%@'")
    let found = PlaceholderCheck.diagnostics(tree, Arguments([.int(1)]))
    #expect(found.map(\.code.name) == ["extra-argument"])
    #expect(found.first?.fixes.map(\.replacement) == ["%@"])
    #expect(found.first?.range == SourceRange(5, 9))
  }

  @Test func mixed() throws {
    #expect(try codes("a == %@ AND b == $0", Arguments([.int(1)])) == ["mixed-placeholders"])
  }

  @Test func longLists() throws {
    let list = Value.list(Array(repeating: .int(1), count: PlaceholderCheck.longestList + 1))
    #expect(try codes("a IN %@", Arguments([list])) == ["list-too-long"])
    #expect(try codes("a IN $x", Arguments(named: ["x": list])) == ["list-too-long"])
  }

  @Test func statements() throws {
    let text = "UPDATE Quake SET a = %@, b = %@ WHERE c == %@"
    let tree = try StatementParser.statement(text)
    #expect(PlaceholderCheck.diagnostics(tree, Arguments([.int(1), .int(2), .int(3)])) == [])
    #expect(PlaceholderCheck.diagnostics(tree, Arguments([.int(1), .int(2)])).map(\.code.name) == ["missing-argument"])
  }
}
