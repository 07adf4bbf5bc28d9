internal import PredicateLanguage
internal import Storage
internal import Values

/// A column of texts asked about in capitals or small letters, as `lowercase(name) == 'ann'` does: the letters of a cluster
/// are changed at once, and then asked about as plain texts are.
final class CasedTextCondition: Condition, @unchecked Sendable {
  private let letters: LetterCase
  private let column: Int
  /// What is asked of the changed texts.
  private let texts: TextCondition

  private init(_ letters: LetterCase, _ column: Int, _ question: TextCondition.Question) {
    self.letters = letters
    self.column = column
    texts = TextCondition(column: column, question: question)
  }

  /// The condition that a comparison is; nil for one that is not of such texts with constants.
  static func condition(_ comparison: BoundComparison) -> Condition? {
    guard let (letters, column) = subject(of: comparison) else { return nil }
    switch comparison.comparator {
    case .isIn:
      let texts = comparison.right.compactMap { operand in
        if case .string(let text)? = operand.constant { Array(text.utf8) } else { nil }
      }
      guard comparison.folding.isNone, texts.count == comparison.right.count else { return nil }
      return CasedTextCondition(letters, column, .oneOf(TextSet(texts)))
    case .notEqual:
      guard comparison.right.count == 1, case .string(let text)? = comparison.right[0].constant,
        let test = try? TextTest(.equal, text, folding: comparison.folding)
      else { return nil }
      return NotCondition(CasedTextCondition(letters, column, .test(test)))
    default: return comparison.test.map { CasedTextCondition(letters, column, .test($0)) }
    }
  }

  /// What such a comparison is about.
  static func subject(of comparison: BoundComparison) -> (letters: LetterCase, column: Int)? {
    guard case .call(let function, let operands) = comparison.left, operands.count == 1,
      let column = operands[0].column, let letters = LetterCase(function)
    else { return nil }
    return (letters, column)
  }

  override var isLocal: Bool { true }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ scratch: Scratch) throws -> Mask {
    let view = try cluster.column(column)
    let left = candidates.andNot(view.nulls)
    guard let first = left.first else { return .none }
    let changed = scratch.casedTexts
    switch view.values {
    case .same: return texts.holds(for: changed.text(try view.text(at: first), letters)) ? left : .none
    case .dictionary(let codes, let entries):
      let entries = changed.block(entries, letters, Mask(firstCount: min(entries.count, Mask.slotCount)))
      return texts.inDictionary(codes, entries, view.slotCount, left)
    case .text(let block):
      let near = left.andNot(view.outOfLine)
      if near.count < Self.few { return try oneByOne(view, left, changed) }
      let found = texts.inBlock(changed.block(block, letters, near), near)
      return near == left ? found : found | (try oneByOne(view, left & view.outOfLine, changed))
    default: return .none
    }
  }

  /// For fewer the letters of a whole cluster are not worth changing.
  private static let few = 8

  private func oneByOne(_ view: ColumnView, _ slots: Mask, _ changed: CasedTexts) throws -> Mask {
    var found = Mask.none
    try slots.forEach { slot in
      if texts.holds(for: changed.text(try view.text(at: slot), letters)) { found[slot] = true }
    }
    return found
  }
}
