internal import PredicateLanguage
internal import Storage

/// The relation of a string to a needle: equal to it, less than it, containing it, beginning with it and so on. There
/// are no patterns; both sides are folded before or during the comparison.
package enum StringRelation: Hashable, Sendable {
  case equals, isLess, isLessOrEqual, isGreater, isGreaterOrEqual
  case contains, beginsWith, endsWith

  /// The relation of an operator; nil for operators with a pattern or without strings, and for `!=`, which is the
  /// opposite of `==`.
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

  /// The relation of strings that have a needle at the start, at the end, at both or anywhere.
  init(isAtStart: Bool, isAtEnd: Bool) {
    self = isAtStart ? isAtEnd ? .equals : .beginsWith : isAtEnd ? .endsWith : .contains
  }

  /// The ends of the string at which the needle must be; nil for an order.
  var anchors: (isAtStart: Bool, isAtEnd: Bool)? {
    switch self {
    case .equals: (true, true)
    case .beginsWith: (true, false)
    case .endsWith: (false, true)
    case .contains: (false, false)
    case .isLess, .isLessOrEqual, .isGreater, .isGreaterOrEqual: nil
    }
  }

  /// Whether a string satisfies the relation to a needle, byte by byte.
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

  /// Whether a string, after folding, satisfies the relation to a folded needle. Folds only as much of the string as
  /// needed.
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
