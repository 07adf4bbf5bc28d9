/// Why a parser may refuse what a grammar has: what no context-free grammar says. It is the only excuse for a
/// difference between the two, and there is none for the other direction.
enum BeyondGrammar {
  /// By error code, the reason.
  static let reasons: [String: String] = [
    // How much there may be.
    "text-too-long": "the length of a text",
    "too-many-nodes": "the number of its parts",
    "nesting-too-deep": "how deep they are nested",
    // What a literal is worth.
    "invalid-number": "whether the share of a percentile is from 0 to 1",
    "integer-overflow": "whether a number has a place in 64 bits",
    "invalid-date": "whether the fields of a date are in their ranges, and what is in the text of date(…)",
    "invalid-escape": "which escapes a string has, which depends on the operator it stands after, and what they name",
    "invalid-uuid": "what is in the text of uuid(…)",
    "invalid-data": "what is in the text of binary(…)",
    "invalid-decimal": "what is in the text of decimal(…)",
    "unsupported-cast": "what is in the text of CAST(…)",
    "invalid-placeholder": "whether the number of an argument is in its range",
    // What depends on what stands elsewhere.
    "unknown-variable": "whether a SUBQUERY around has the variable",
    "duplicate-clause": "whether a clause is there twice",
    "duplicate-property": "whether a property is there twice",
    // Where a reader would be misled.
    "list-in-brackets": "a point where a list is meant",
    "between-bounds": "an argument after BETWEEN … AND where the second bound is meant",
    "list-in-parentheses": "one literal in parentheses where a list is meant",
    "unknown-statement": "a word alone that starts a statement elsewhere, such as 'help'",
    "foreign-clause": "FROM and INTO of SQL where a name may stand",
    "early-quote": "a word right behind a string, such as in 'O'km'",
  ]

  /// Whether one of the codes is a reason.
  static func excuses(_ codes: [String]) -> Bool { codes.contains { reasons[$0] != nil } }
}
