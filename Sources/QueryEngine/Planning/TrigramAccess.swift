internal import Schema
internal import Storage
internal import Values

/// Finds how a trigram index answers the conjuncts of a predicate. It reads a few blocks of the index to find out which
/// trigrams are rare and how many strings contain them; it does not depend on costs.
struct TrigramAccess: IndexSearchAccess {
  private let index: StoredIndex
  private let reader: TrigramReader

  init(_ index: StoredIndex, of entity: StoredEntity, in snapshot: Snapshot) throws {
    self.index = index
    reader = try snapshot.trigrams(index, of: entity)
  }

  /// The phrases that one piece of a pattern looks up in the index.
  private struct Wanted {
    var phrases: [TrigramPhrase] = []
    /// Whether every string with the phrases contains the piece; irregular strings are checked separately.
    var isExact = true
    var gaps: TrigramGaps = .long
  }

  func search(for conjuncts: [BoundPredicate], filter: (Int) throws -> any Filter) throws -> (any IndexSearch)? {
    guard let column = index.columns.first else { return nil }
    var phrases: [TrigramPhrase] = []
    var answers: Set<Int> = []
    var exact: Set<Int> = []
    var gaps: TrigramGaps = []
    var asked: [any Filter] = []
    for (number, conjunct) in conjuncts.enumerated() {
      guard case .test(let test) = conjunct, test.column == column else { continue }
      let wanted = Self.pieces(test.question).map(Self.wanted)
      let found = wanted.flatMap(\.phrases)
      if found.isEmpty { continue }
      phrases += found.filter { !phrases.contains($0) }
      answers.insert(number)
      if wanted.allSatisfy(\.isExact) {
        exact.insert(number)
        gaps.formUnion(wanted.reduce([]) { $0.union($1.gaps) })
        asked.append(try filter(number))
      }
    }
    if answers.isEmpty { return nil }
    let counted = try phrases.map { phrase in (phrase, try phrase.parts.map { try reader.estimatedCount($0.trigram) }) }
    let ordered = counted.sorted { ($0.1.min() ?? 0) < ($1.1.min() ?? 0) }
    let chosen = ordered.map { phrase, counts in phrase.chosen(by: counts) }
    return TrigramSearch(
      index: index, phrases: chosen, answers: answers, exact: exact, gaps: gaps, asked: asked,
      expected: try reader.sample(chosen))
  }

  private static func pieces(_ question: SargablePredicate.Question) -> [TextTest.Piece] {
    switch question {
    case .text(let test): return test.pieces
    case .interval(let interval):
      guard case .string(let text)? = interval.single else { return [] }
      return [TextTest.Piece(Array(text.utf8), .none, isAtStart: true, isAtEnd: true)]
    case .isNil, .oneOf: return []
    }
  }

  /// The phrases of a piece. Folding the piece again gives the folded form of the strings, with one exception: `[c]`
  /// folds a Greek letter with an iota subscript to two letters (`ᾳ` to `αι`), while folding diacritics too drops the
  /// iota. So the parts between iotas are searched separately.
  private static func wanted(_ piece: TextTest.Piece) -> Wanted {
    let keepsIota = piece.folding.ignoresCase && !piece.folding.ignoresDiacritics
    let parts = keepsIota ? split(piece.bytes) : [piece.bytes]
    var wanted = Wanted()
    let isCaseless = piece.folding.ignoresCase || piece.bytes.allSatisfy { $0 < 0x80 && !Self.isLetter($0) }
    wanted.isExact = piece.isAll && isCaseless && parts.count == 1
    if !piece.folding.ignoresDiacritics { wanted.gaps.insert(.marked) }
    for (place, bytes) in parts.enumerated() {
      let scalars = TrigramText.scalars(of: bytes)
      guard
        let (phrase, isAll) = TrigramPhrase.whole(
          scalars, isAtStart: piece.isAtStart && place == 0, isAtEnd: piece.isAtEnd && place == parts.count - 1)
      else {
        wanted.isExact = false
        continue
      }
      wanted.isExact = wanted.isExact && isAll && TextFolding.full.fold(bytes) == bytes
      wanted.phrases.append(phrase)
    }
    return wanted
  }

  /// Only ASCII letters have a case in this check, and folding maps letters to letters. So any other byte occurs in a
  /// string wherever it occurs in the folded string.
  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

  /// The parts between iotas.
  private static func split(_ bytes: [UInt8]) -> [[UInt8]] {
    var parts: [[UInt8]] = [[]]
    var place = 0
    while place < bytes.count {
      if bytes[place] == 0xCE, place + 1 < bytes.count, bytes[place + 1] == 0xB9 {
        parts.append([])
        place += 2
      } else {
        parts[parts.count - 1].append(bytes[place])
        place += 1
      }
    }
    return parts
  }
}
