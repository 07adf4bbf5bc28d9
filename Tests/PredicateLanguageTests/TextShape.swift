import Testing

/// A text that can be made of any length: what has a meaning, and what has none.
struct TextShape: Sendable, CustomTestStringConvertible {
  var name: String
  var text: @Sendable (Int) -> String
  var testDescription: String { name }

  init(_ name: String, _ text: @escaping @Sendable (Int) -> String) {
    self.name = name
    self.text = text
  }

  /// `start`, then `piece` over and over, then `end`.
  init(_ start: String, _ piece: String, _ end: String = "") {
    self.init("\(start)\(piece)…\(end)") { start + String(repeating: piece, count: $0) + end }
  }
}

extension TextShape {
  static let predicates: [TextShape] = [
    // What has a meaning.
    TextShape("a == 1", " AND a == 1"), TextShape("a", " OR b AND NOT c"), TextShape("1", " + 1", " == 2"),
    TextShape("x", " * 2 - y", " > 0"), TextShape("x IN {1", ", 1", "}"), TextShape("a", ".a", " == 1"),
    TextShape("a", "[0]", " == 1"),
    TextShape("a == '", "x", "'"), TextShape("a LIKE '", "*?", "'"), TextShape("a MATCHES '", "(a|b)+", "'"),
    TextShape("a == '", "\\n\\u{41}", "'"), TextShape("a", "b", " == 1"), TextShape("größe", "é", " == 1"),
    TextShape("", " ", "a == 1"),
    TextShape("a IN {1", ",\n\u{A0}1", "}"), TextShape("a == 0.1", "2", ""), TextShape("a == 1", "_1", ""),
    TextShape("a == 1 SORT(a", ", a DESC", ")"), TextShape("a == 1", " SORT(a) LIMIT(1)"),
    TextShape("a IN {nil", ", %@, $0, :x", "}"),
    TextShape("a IN geoPolygon({[1, 2]", ", [1, 2]", "})"), TextShape("a IN {'x'", ", \"y\", uuid(''), T1:2", "}"),
    TextShape("x IN {1", ", abs(-1), ~2, (3)", "}"), TextShape("a == binary('", "AAAA", "')"),
    TextShape("x == 1", " AND ANY a.b[c.d] > SUBQUERY(t, $t, $t.x == 1).@count"),
    // What has none.
    TextShape("", "("), TextShape("", ")"), TextShape("", "["), TextShape("", "{"), TextShape("", "'"),
    TextShape("", "\""), TextShape("", "`"),
    TextShape("a == '", "x"), TextShape("`", "x"), TextShape("a == \u{201C}", "x"), TextShape("", "\u{201C}"),
    TextShape("", "\u{201C}x\u{201D} "),
    TextShape("", "a "), TextShape("", "a a == "), TextShape("a", " == a"), TextShape("a", " < b"),
    TextShape("", "a === 1 AND "),
    TextShape("", "%z "),
    TextShape("", "NOT "), TextShape("", "ANY "), TextShape("", "IS NULL "), TextShape("a", ":b"), TextShape("", "a: "),
    TextShape("", "$"),
    TextShape("", "@x "), TextShape("a BETWEEN 1", " AND 1"), TextShape("a BETWEEN ", "("), TextShape("", "a == 'x'y "),
    TextShape("", "'x'a'"),
    TextShape("", "a IN (1, "), TextShape("", "SUBQUERY("), TextShape("", "f(x) == 1 AND "), TextShape("", "12ab "),
    TextShape("", "1."),
    TextShape("", "0x"), TextShape("a == '", "\\q", "'"), TextShape("a == '", "\\", "'"), TextShape("", "\u{0}"),
    TextShape("", "≤ "),
    TextShape("", "/*"), TextShape("", "-- x\n"), TextShape("", "a OR "), TextShape("", "a,"), TextShape("", ";"),
    TextShape("", "2018-02-07@"),
    TextShape("", "T1:"), TextShape("", "x NOT IN y "), TextShape("", "a CONTIANS 'x' AND "),
    TextShape("", "TERNARY(a, "),
    TextShape("(", "a == b + c == d AND ", ")"), TextShape("", "((a) + 1 == 2) + "), TextShape("", "B64'"),
    TextShape("", "é"),
  ]

  private static let ofStatements: [TextShape] = [
    TextShape("Quake SELECT a", ", a + 1 AS b"), TextShape("Quake GROUP BY a", ", b"),
    TextShape("UPDATE Quake SET a = 1", ", b = 2"),
    TextShape("INSERT Quake {\"a\": [1", ", 1", "]}"),
    TextShape("INSERT Quake {\"x\": 1", ", \"y\": {\"a\": null}", "}"),
    TextShape("Quake WHERE a == 1", " /* x */ AND b == 2"), TextShape("Quake ", "-- x\n"), TextShape("Quake ", "/* x "),
    TextShape("Quake", " WHERE a", ""), TextShape("", "SELECT * FROM "), TextShape("", "EXPLAIN "),
    TextShape("", "INSERT Quake {"),
    TextShape("LET a = b", " AND c"), TextShape("Quake LIMIT 1", " LIMIT 1"), TextShape("Quake ORDER BY a", ", b"),
    TextShape("", "Quake;"),
    TextShape("Quake SELECT '", "x", "' AS \"y\""),
  ]

  /// Statements, and every predicate as one's condition.
  static let statements: [TextShape] =
    ofStatements
    + predicates.map { shape in TextShape("Quake WHERE " + shape.name) { "Quake WHERE " + shape.text($0) } }
}
