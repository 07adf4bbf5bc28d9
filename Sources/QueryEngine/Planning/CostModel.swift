internal import Glibc
internal import PredicateLanguage
internal import Storage
internal import Values

/// The cost of operations, in nanoseconds on one core of a small machine. Only ratios matter.
///
/// Measured with 300,000 earthquakes in a file in memory. With a table of clusters, stepping to the next cluster takes
/// 16 ns and finding one by number 25; without it 60 and 260; the constants lie between. A filter over a column of one
/// or two bytes takes 18 to 22 ns a cluster, over eight bytes 50. An index read a page at a time takes 10 to 12 ns an
/// entry, and 33 to 47 a key when walked key by key; a lookup takes 650 including encoding its key, and 350 if many are
/// made in order. A search in strings without a dictionary takes 1 to 8 ns an object, a pattern 100 to 120, a sort of
/// 300,000 objects 26 to 50, the distinct values of a thousand 4. Costs of links are older measurements, scaled to
/// these.
enum CostModel {
  /// Stepping to the next cluster and checking its directory.
  static let cluster = 40.0
  /// Finding a cluster by number.
  static let clusterByNumber = 100.0
  /// Finding a key in an index.
  static let indexSeek = 650.0
  /// Finding some keys in order: after the first few, each is near the one before.
  static func seeks(_ count: Int) -> Double { Double(min(count, 16)) * indexSeek + Double(max(0, count - 16)) * 350 }
  /// Finding and reading the first or last key of a range.
  static let indexEnd = 250.0
  /// Reading one object ID of an index, a page at a time, and adding it in order.
  static let indexEntry = 12.0
  /// With fewer candidates than this for each object of a top-k query, most clusters are read anyway.
  static let fewCandidates = 8.0
  /// Reading one object ID in the order of an index and checking its mask.
  static let orderedEntry = 45.0
  /// Jumping to the next key of an index and using the key.
  static let indexKey = 45.0
  /// Decoding the values of a key and making a group of them.
  static let decodedKey = 350.0
  /// Counting one object of an index range, a page at a time.
  static let countedObject = 3.0
  /// One step of counting an index range: a sixteenth of a page.
  static let countingStep = 3.0
  /// Looking up the group of one object.
  static let groupedRow = 3.0
  /// Making a group for a new number.
  static let groupOfNumber = 200.0
  /// Making a group for a new string.
  static let groupOfText = 350.0
  /// The number of objects a kernel evaluates for each one that an index has found in the cluster.
  static let askedPerObject = 4.0
  /// Comparing two objects while sorting, multiplied by the logarithm of their number.
  static let sortStep = 2.0
  /// Comparing an object with the last one kept by a top-k heap.
  static let topKComparison = 1.5
  /// Comparing two strings of the same object.
  static let textPair = 12.0
  /// Changing the case of a string.
  static let changedText = 2.0
  /// Folding a string.
  static let foldedText = 15.0
  /// Comparing values that are not vectorised.
  static let boxedValue = 60.0
  /// Evaluating an expression row by row.
  static let row = 110.0
  /// Evaluating a predicate on the elements of one object, one by one.
  static let quantifiedRow = 260.0
  /// Evaluating a predicate on the objects that one object links to, one by one.
  static let linkedRow = 650.0
  /// Each linked object in addition to `linkedRow`.
  static let linkedObject = 130.0
  /// Finding the objects that link to one object of a set.
  static let linkedSource = 9.0
  /// Computing a number of one object, to be read through links.
  static let linkedNumber = 1.0
  /// Storing the links of one object for a later traversal.
  static let linkTable = 17.0
  /// Building a set of linked objects, without finding them.
  static let linkedSet = 9_000.0
  /// Reading a string of one object and finding its rank among all.
  static let rankedValue = 175.0
  /// Adding a number of one object to a sum.
  static let summed = 0.2
  /// Looking up the result for the dictionary code of a string.
  static let codedText = 0.12
  /// Folding a string and looking it up in a set.
  static let foldedAndLookedUp = 30.0
  /// A string column with dictionary encoding, and its number of distinct strings per object in one or several
  /// clusters.
  typealias Coded = (column: Int, texts: Double)
  /// The number of objects in a cluster.
  static let slots = 256.0

  /// Evaluating a predicate for one object.
  ///
  /// - Parameter coded: The string columns with dictionary encoding; a predicate on them is evaluated once for each
  ///   distinct string.
  static func perObject(_ predicate: BoundPredicate, coded: [Coded] = []) -> Double {
    switch predicate {
    case .constant: 0
    case .or(let parts) where FoldedMembership(parts) != nil: foldedAndLookedUp
    case .and(let parts), .or(let parts): parts.reduce(0) { $0 + perObject($1, coded: coded) }
    case .not(let inner): perObject(inner, coded: coded)
    case .remembered(let remembered): perObject(remembered.predicate, coded: coded)
    case .test(let test):
      if let texts = coded.first(where: { $0.column == test.column })?.texts {
        codedText + texts * perObject(test.question)
      } else {
        perObject(test.question)
      }
    case .comparison(let comparison) where comparison.shape != nil: 4
    case .comparison(let comparison) where ObjectIDFilter.exists(for: comparison): 0.12
    case .quantified where predicate.goesThroughLinks: linkedRow
    case .comparison(let comparison) where comparison.operands.contains(where: \.followsLinksByRow): linkedRow
    case .quantified, .lists: quantifiedRow
    case .comparison where predicate.isConstant: 0
    case .comparison(let comparison): perObject(comparison)
    }
  }

  /// The cost of a comparison evaluated by vectors.
  private static func perObject(_ comparison: BoundComparison) -> Double {
    let operands = comparison.operands.reduce(0) { $0 + perObject($1) }
    switch comparison.left.vectorForm {
    case .integers, .doubles, .flags, .decimals: return max(1, operands)
    case .values where comparison.left.type == .decimal: return max(1, operands)
    case .values: return boxedValue + operands
    case .strings:
      let isConstant = comparison.right.allSatisfy { $0.constant != nil }
      if isConstant { return operands + (comparison.test.map { perObject(.text($0)) } ?? textPair) }
      return operands + textPair + (comparison.folding.isNone ? 0 : 2 * foldedText)
    }
  }

  /// The cost of an expression for one object, if its whole cluster is evaluated.
  static func perObject(_ expression: BoundExpression) -> Double {
    switch expression {
    case .constant, .column, .own, .object, .gathered: return 0
    case .reduced(.count, .column), .reduced(.count, .keys), .reduced(.count, .positions(of: .column)): return 0.5
    case .negate(let operand), .complement(let operand): return 0.5 + perObject(operand)
    case .arithmetic(let first, let steps):
      if expression.type == .number || expression.type == .null { return row }
      return steps.reduce(perObject(first)) { $0 + 0.5 + perObject($1.operand) }
    case .call(let function, let operands):
      let own =
        switch function.family {
        case .calendar, .bucket: 20.0
        case .distance: 60.0
        case .real(let real): real.isSlow ? 8.0 : 1.0
        case .length, .arithmetic: 8.0
        case .string, .folding, .joined, .part, .replaced: changedText
        case .rounding, .bits, .first: 1.0
        }
      return operands.reduce(own) { $0 + perObject($1) }
    case .ternary(let condition, let yes, let no):
      if expression.type == .number { return row }
      return 2 + perObject(condition) + perObject(yes) + perObject(no)
    case .computed, .now, .element, .reduced, .item, .entry, .property, .assembled: return row
    }
  }

  private static func perObject(_ question: SargablePredicate.Question) -> Double {
    switch question {
    case .isNil: 0.1
    case .interval(let interval):
      switch interval.lower.value ?? interval.upper.value {
      case .string(_)?, .data(_)?: interval.single == nil ? 5 : 2
      case .uuid(_)?: 1.5
      case .null?, .bool?, .int?, .float?, .double?, .decimal?, .date?, .list?, .embedded?, .object?, nil: 0.12
      }
    case .oneOf(let values):
      switch values.first {
      case .string(_)?, .data(_)?: 6
      case .uuid(_)?: 15
      // They are searched by halves.
      case .null?, .bool?, .int?, .float?, .double?, .decimal?, .date?, .list?, .embedded?, .object?, nil:
        2 + 1.5 * log2(Double(max(1, values.count)))
      }
    case .text(let test):
      switch test.question {
      // The pattern does not run on strings without the literal that every match contains.
      case .matches: test.part == nil ? 120 : 40
      case .relation(.contains, _): test.folding.ignoresDiacritics ? 12 : test.folding.ignoresCase ? 8 : 6
      case .relation, .like: test.folding.isNone ? 4 : 15
      }
    }
  }

  /// The number of clusters that hold `objects` scattered over `clusters`.
  static func clustersTouched(_ objects: Double, of clusters: Double) -> Double {
    guard clusters >= 1, objects > 0 else { return 0 }
    // 1 − (1 − 1/c)ⁿ is close to 1 − e^(−n/c), which a rational function approximates well enough.
    let load = objects / clusters
    return min(objects, clusters * load / (1 + load))
  }

  /// The cost of evaluating conjuncts in order for `objects` objects.
  static func filter(_ conjuncts: [Conjunct], objects: Double) -> Double {
    var left = objects
    var cost = 0.0
    for conjunct in conjuncts {
      cost += left * conjunct.cost
      left *= conjunct.selectivity
    }
    return cost
  }
}
