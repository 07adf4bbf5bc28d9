import ObjectStoreCore
import PredicateLanguage
import TestSeeds
import Testing

/// An argument is always a value, whatever is in it: a condition with an argument is the condition with that value
/// written out, and finds exactly the objects that have it.
@Suite struct ArgumentValuesTests {
  private static let pieces = [
    "'", "\"", "%@", "%", "%K", "$x", "$0", ":x", "\\", "\\'", "\\u{41}", "\0", "\u{1}", "\n", "\t", " ", "", ")", "(",
    "}", "{", "--", "//", "/*", "*/", ";", " OR ", " OR TRUEPREDICATE", "' OR '' == '", "NOT", "nil", "NULL", "TRUE",
    "*",
    "?", "[c]", "\u{200D}", "👨‍👩‍👧", "é", "e\u{301}", "\u{FEFF}", "\u{2028}", "ß", "ı", "１", "5", "-1", "1e9", "inf", "a.b",
    "SELF", "SUBQUERY(x, $y, TRUE)", "text", "\u{1F1E9}\u{1F1EA}", "\u{10FFFF}", "'", "‘", "”",
  ]

  private static func text(_ numbers: inout SeededNumbers) -> String {
    (0..<Int.random(in: 0...6, using: &numbers)).map { _ in pieces.randomElement(using: &numbers) ?? "" }.joined()
  }

  private static let forms: [(text: String, isPositional: Bool)] = [
    ("text == %@", true), ("text == $0", true), ("text == $x", false), ("text == :x", false),
    ("text IN {%@, 'neither'} AND number >= 0", true), ("NOT text != $x", false), ("(%@ == text)", true),
    ("TERNARY(text == $x, 1, 0) == 1", false),
  ]

  @Test func anArgumentIsTheValueWrittenOut() throws {
    let schema = Schema(entities: [
      Entity(
        name: "Note",
        properties: [
          Property(name: "text", type: .scalar(.string)), Property(name: "number", type: .scalar(.int)),
        ])
    ])
    let store = try Store.inMemory(schema: schema)
    var numbers = SeededNumbers(testSeed())
    let texts = Self.pieces + (0..<300).map { _ in Self.text(&numbers) }
    try store.write { tx in
      let rows = try tx.inserter(for: "Note")
      for (number, text) in texts.enumerated() { try rows.append([.string(text), .int(Int64(number))]) }
    }
    let all = try store.objects("Note")
    for text in texts {
      for form in Self.forms {
        let value = Value.string(text)
        let arguments = form.isPositional ? Arguments([value]) : Arguments(named: ["x": value])
        let found = try all.filter(form.text, arguments: arguments)
        // The same text with the literal in place of the placeholder.
        let literal = ExpressionSyntax(.literal(value)).predicateFormat
        let placeholder = ["%@", "$0", "$x", ":x"].first { form.text.contains($0) } ?? ""
        let parts = form.text.components(around: placeholder)
        let written = try all.filter(parts.joined(separator: literal))
        #expect(found.predicateFormat == written.predicateFormat, "\(form.text) with \(literal)")
        let again = try all.filter(found.predicateFormat)
        #expect(again.predicateFormat == found.predicateFormat, "\(literal)")
        let ids = try found.ids
        #expect(try written.ids == ids && again.ids == ids, "\(form.text) with \(literal)")
        let expected = texts.indices.filter { Array(texts[$0].utf8) == Array(text.utf8) }
        #expect(try found.ids.map { Int($0.rawValue) - 1 } == expected, "\(form.text) with \(literal)")
      }
    }
  }

  /// A value in a statement can't become a clause or a second statement, nor a path by `%@`.
  @Test func anArgumentAddsNothingToAStatement() throws {
    let schema = Schema(entities: [
      Entity(name: "Note", properties: [Property(name: "text", type: .scalar(.string))])
    ])
    let store = try Store.inMemory(schema: schema)
    var numbers = SeededNumbers(testSeed())
    for _ in 0..<200 {
      let text = Self.text(&numbers) + "'; DELETE Note; --"
      try store.write { tx in try tx.inserter(for: "Note").append([.string(text)]) }
      let count = try store.run("COUNT Note WHERE text == $x", arguments: Arguments(named: ["x": .string(text)]))
      guard case .count(let number) = count else { return #expect(Bool(false)) }
      #expect(number >= 1)
    }
    #expect(try store.objects("Note").count == 200)
  }
}

extension String {
  /// The parts before and after each occurrence of `mark`.
  fileprivate func components(around mark: String) -> [String] {
    var parts = [""]
    var rest = Substring(self)
    while !rest.isEmpty {
      if rest.hasPrefix(mark) {
        parts.append("")
        rest = rest.dropFirst(mark.count)
      } else {
        parts[parts.count - 1].append(rest.removeFirst())
      }
    }
    return parts
  }
}
