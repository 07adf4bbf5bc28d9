internal import PredicateLanguage
internal import Storage

/// The relation of a string to the bytes it is compared with: equal, less, containing them, beginning with them and so
/// on. It has no pattern and knows nothing of letter case: both sides are folded before, or while they are compared.
package enum StringRelation: Hashable, Sendable {
  case equals, isLess, isLessOrEqual, isGreater, isGreaterOrEqual
  case contains, beginsWith, endsWith

  /// The relation that an operator states; nil for an operator with a pattern or without strings, and for `!=`, which
  /// is the opposite of `==`.
  init?(_ comparator: Comparator) {
    switch comparator.family {
    case .relation(.equal): self = .equals
    case .relation(.less): self = .isLess
    case .relation(.lessOrEqual): self = .isLessOrEqual
    case .relation(.greater): self = .isGreater
    case .relation(.greaterOrEqual): self = .isGreaterOrEqual
    case .string(.contains): self = .contains
    case .string(.beginsWith): self = .beginsWith
    case .string(.endsWith): self = .endsWith
    case .string(.like), .string(.matches), .relation(.notEqual), .range, .membership, .place, .fullText: return nil
    }
  }

  /// The relation of strings that have a needle at one of their ends, at both, or anywhere.
  init(isAtStart: Bool, isAtEnd: Bool) {
    self = isAtStart ? isAtEnd ? .equals : .beginsWith : isAtEnd ? .endsWith : .contains
  }

  /// Where a string in the relation has the needle; nil for an order, which says nothing of that.
  var anchors: (isAtStart: Bool, isAtEnd: Bool)? {
    switch self {
    case .equals: (true, true)
    case .beginsWith: (true, false)
    case .endsWith: (false, true)
    case .contains: (false, false)
    case .isLess, .isLessOrEqual, .isGreater, .isGreaterOrEqual: nil
    }
  }

  /// Whether a string is in the relation to a needle, byte by byte.
  @inline(__always)
  func holds(_ string: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .equals: Bytes.areEqual(string, needle)
    case .isLess: Bytes.compare(string, needle) < 0
    case .isLessOrEqual: Bytes.compare(string, needle) <= 0
    case .isGreater: Bytes.compare(string, needle) > 0
    case .isGreaterOrEqual: Bytes.compare(string, needle) >= 0
    case .contains: Bytes.find(needle, in: string) != nil
    case .beginsWith: Bytes.hasPrefix(string, needle)
    case .endsWith: Bytes.hasSuffix(string, needle)
    }
  }

  /// Whether a string, folded, is in the relation to a needle that is folded already. Folds no more of the string than
  /// it takes to decide.
  func holds(_ string: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer, folding: TextFolding) -> Bool {
    switch self {
    case .equals: folding.order(of: string, against: needle) == 0
    case .isLess: folding.order(of: string, against: needle) < 0
    case .isLessOrEqual: folding.order(of: string, against: needle) <= 0
    case .isGreater: folding.order(of: string, against: needle) > 0
    case .isGreaterOrEqual: folding.order(of: string, against: needle) >= 0
    case .beginsWith: folding.hasPrefix(string, needle)
    case .endsWith: folding.hasSuffix(string, needle)
    case .contains: folding.withFolded(string) { Bytes.find(needle, in: $0) != nil }
    }
  }
}
