internal import Storage
internal import Values

/// Finds how an index of folded strings answers predicates. Its keys ignore case and diacritics; predicates that do not
/// ignore both are rechecked.
extension IndexAccess {
  /// The ranges for the first conjunct that the index answers.
  func foldedRange(for conjuncts: [BoundPredicate]) -> IndexRange? {
    guard let column = index.columns.first else { return nil }
    let path = entity.columns[column].path
    for (number, conjunct) in conjuncts.enumerated() {
      guard case .test(let test) = conjunct, test.column == column else { continue }
      switch test.question {
      case .isNil: return found([.equal(to: [.null], types: index.types)], [number], [.isNil(path)])
      case .interval(let interval):
        guard case .string(let text)? = interval.single else { continue }
        return folded([TextTest.Start(text)], number, path)
      case .oneOf(let values):
        let starts = values.compactMap { if case .string(let text) = $0 { TextTest.Start(text) } else { nil } }
        guard starts.count == values.count, starts.count <= mostRanges else { continue }
        return folded(starts, number, path)
      case .text(let text):
        guard let start = text.start, let range = folded([start], number, path) else { continue }
        return range
      }
    }
    return nil
  }

  /// The ranges of the strings with given prefixes, or equal to them; nil if folding leaves a prefix empty.
  private func folded(_ starts: [TextTest.Start], _ number: Int, _ path: String) -> IndexRange? {
    var ranges: [IndexKeyRange] = []
    var words: [String] = []
    var isExact = true
    for start in starts {
      let (bytes, isWhole) = Self.key(of: start)
      if isWhole {
        ranges.append(.equal(to: [.string(String(decoding: bytes, as: UTF8.self))], types: index.types))
        words.append(IntervalText.text(bytes))
      } else if bytes.isEmpty {
        return nil
      } else {
        ranges.append(bytes.withUnsafeBytes { .text(beginningWith: $0, types: index.types) })
        words.append("[\(IntervalText.text(bytes))…]")
      }
      isExact = isExact && start.isAll && start.folding == .full
    }
    // Strings that differ only in case have one key.
    ranges = ranges.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    let shown = words.prefix(6).joined(separator: ", ") + (words.count > 6 ? ", … \(words.count) values" : "")
    let detail =
      words.count > 1 ? "\(path) folded in {\(shown)}" : "\(path) folded \(shown.first == "[" ? "in" : "=") \(shown)"
    return found(ranges, [number], [.words(detail)], isExact: isExact)
  }

  /// The prefix of the strings' keys, and whether it is the whole key.
  ///
  /// Folding the needle again gives the key, with one exception: `[c]` folds a Greek letter with an iota subscript to
  /// two letters (`ᾳ` to `αι`), while folding diacritics too drops the iota. So the keys may differ from an iota in the
  /// needle on, and only the part before it is used.
  private static func key(of start: TextTest.Start) -> (bytes: [UInt8], isWhole: Bool) {
    guard start.folding.ignoresCase, !start.folding.ignoresDiacritics else {
      return (TextFolding.full.fold(start.bytes), start.isWhole)
    }
    let iota = zip(start.bytes, start.bytes.dropFirst()).enumerated().first { $0.element == (0xCE, 0xB9) }?.offset
    let head = iota.map { Array(start.bytes.prefix($0)) } ?? start.bytes
    return (TextFolding.full.fold(head), start.isWhole && iota == nil)
  }
}
