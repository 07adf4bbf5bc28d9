internal import PredicateLanguage
internal import Storage
internal import Values

/// A column of texts asked about as a function changes them, as `lowercase(name) == 'ann'` does: the texts of a cluster are
/// changed at once, and then asked about as plain texts are.
final class ChangedTextCondition: Condition, @unchecked Sendable {
  private let function: TextFunction
  private let column: Int
  /// What is asked of the changed texts.
  private let texts: TextCondition

  private init(_ function: TextFunction, _ column: Int, _ question: TextCondition.Question) {
    self.function = function
    self.column = column
    texts = TextCondition(column: column, question: question)
  }

  /// The condition that a comparison is; nil for one that is not of such texts with constants.
  static func condition(_ comparison: BoundComparison) -> Condition? {
    guard asks(comparison), let (function, column) = comparison.left.changedColumn else { return nil }
    let constants = comparison.right.compactMap(text)
    switch comparison.comparator {
    case .isIn: return ChangedTextCondition(function, column, .oneOf(TextSet(constants.map { Array($0.utf8) })))
    case .notEqual:
      guard let text = constants.first, let test = try? TextTest(.equal, text, folding: comparison.folding) else {
        return nil
      }
      return NotCondition(ChangedTextCondition(function, column, .test(test)))
    default: return comparison.test.map { ChangedTextCondition(function, column, .test($0)) }
    }
  }

  /// Whether a comparison is of such texts with constants.
  static func asks(_ comparison: BoundComparison) -> Bool {
    guard comparison.left.changedColumn != nil else { return false }
    return switch comparison.comparator {
    case .isIn: comparison.folding.isNone && comparison.right.allSatisfy { text($0) != nil }
    case .notEqual: comparison.right.count == 1 && text(comparison.right[0]) != nil
    default: comparison.test != nil
    }
  }

  private static func text(_ operand: BoundExpression) -> String? {
    if case .string(let text)? = operand.constant { text } else { nil }
  }

  override var isLocal: Bool { true }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ scratch: Scratch) throws -> Mask {
    let view = try cluster.column(column)
    let left = candidates.andNot(view.nulls)
    guard let first = left.first else { return .none }
    let changed = scratch.changedTexts
    let near = left.andNot(view.outOfLine)
    if case .same = view.values {
      return texts.holds(for: changed.text(try view.text(at: first), function)) ? left : .none
    }
    guard Self.isWorthChanging(view, for: near) else { return try oneByOne(view, left, changed) }
    switch view.values {
    case .dictionary(let codes, let entries):
      let entries = changed.block(entries, function, Mask(firstCount: min(entries.count, Mask.slotCount)))
      return texts.inDictionary(codes, entries, view.slotCount, left)
    case .text(let block):
      let found = texts.inBlock(changed.block(block, function, near), near)
      return near == left ? found : found | (try oneByOne(view, left & view.outOfLine, changed))
    default: return .none
    }
  }

  /// Whether changing all texts that a cluster has is less work than those of some slots, one by one.
  static func isWorthChanging(_ view: ColumnView, for slots: Mask) -> Bool {
    switch view.values {
    case .dictionary(_, let entries): slots.count >= entries.count
    case .text(let block): slots.count >= few && block.byteCount <= ChangedTexts.most
    default: false
    }
  }

  /// For fewer the texts of a whole cluster are not worth changing.
  private static let few = 8

  private func oneByOne(_ view: ColumnView, _ slots: Mask, _ changed: ChangedTexts) throws -> Mask {
    var found = Mask.none
    try slots.forEach { slot in
      if texts.holds(for: changed.text(try view.text(at: slot), function)) { found[slot] = true }
    }
    return found
  }
}
