import PredicateLanguage

/// The code of the articles, compiled: every block of an article stands here, between `// article` and `// end`, as it is
/// shown there. `print` records what it is given, which the comments of the article say.
struct ArticleExamples {
  private(set) var printed: [String] = []

  private mutating func print(_ value: some Any) { printed += "\(value)".split(separator: "\n").map(String.init) }

  mutating func overview() throws {
    // article
    let tree = try PredicateParser.predicate("magnitude > 5 and place contains[c] 'chile'")
    print(tree)  // magnitude > 5 AND place CONTAINS[c] "chile"
    // end
  }

  mutating func reading() throws {
    // article
    let filter = try PredicateParser.filter("mag>=5 && not (net in {'ci', 'nc'}) SORT(mag desc) LIMIT(10)")
    print(filter)
    // mag >= 5 AND NOT net IN {"ci", "nc"} SORT(mag DESC) LIMIT(10)
    // end
  }

  mutating func mending() {
    // article
    func mended(_ text: String) -> String {
      do {
        return try PredicateParser.filter(text).description
      } catch {
        var bytes = Array(text.utf8)
        // From the back, so that the places of the others stay right.
        for fix in error.diagnostics.compactMap(\.fixes.first).reversed() {
          bytes.replaceSubrange(fix.range.lowerBound..<fix.range.upperBound, with: fix.replacement.utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
      }
    }

    print(mended("place IS NULL AND mag === 5"))
    // place == nil AND mag == 5
    // end
  }

  mutating func telling() {
    // article
    do {
      _ = try PredicateParser.predicate("mag BETWEEN 1 AND 5")
    } catch {
      print(error)
      // error[between-bounds]: the bounds of BETWEEN are written in braces
      //   mag BETWEEN 1 AND 5
      //               ^^^^^^^
      // fix: write 'BETWEEN {1, 5}'
    }
    // end
  }

  mutating func lookingAndChanging() throws {
    // article
    let query = try PredicateParser.predicate("location.name == $where AND ANY tags == 'felt' AND mag > $least")
    print(query.paths().map(\.description))
    // ["location.name", "tags", "mag"]
    print(query.placeholders().map(\.placeholder))
    // [PredicateLanguage.Placeholder.named("where"), PredicateLanguage.Placeholder.named("least")]
    // end

    // article
    let renamed = query.mapPaths { path in
      path == PathSyntax("mag") ? PathSyntax("magnitude") : path
    }
    print(renamed)
    // location.name == $where AND ANY tags == "felt" AND magnitude > $least
    // end

    // article
    /// Makes every comparison of texts ignore letter case.
    struct CaseBlind: SyntaxRewriter {
      mutating func rewrite(_ predicate: PredicateSyntax) -> PredicateSyntax {
        var result = rewriteChildren(of: predicate)
        if case .comparison(var comparison) = result.kind, case .literal(.string) = comparison.right.kind {
          comparison.options.insert(.caseInsensitive)
          result.kind = .comparison(comparison)
        }
        return result
      }
    }

    var caseBlind = CaseBlind()
    print(caseBlind.rewrite(try PredicateParser.predicate("net == 'ci' AND mag > 5")))
    // net ==[c] "ci" AND mag > 5
    // end

    // article
    let strong = PredicateSyntax(
      .comparison(
        ComparisonSyntax(
          left: ExpressionSyntax(.path(PathSyntax("mag"))), comparator: .greaterOrEqual,
          right: ExpressionSyntax(.literal(.int(6))))))
    let both = PredicateSyntax(.and([strong, query]))
    print(both)
    // mag >= 6 AND location.name == $where AND ANY tags == "felt" AND mag > $least
    print(SyntaxLimits.violation(of: both) == nil)
    // true
    // end
  }
}
