internal import PredicateLanguage
internal import Storage
internal import Values

/// What work costs, in nanoseconds on one core of a small machine. Only ratios matter.
///
/// Held against 300,000 earthquakes in a warm file. Of what is found by a table of clusters, the next cluster takes 16 ns
/// and one by number 25; before there is one, 60 and 260: what is said here lies between. A condition over a column of one
/// or two bytes takes 18 to 22 ns a cluster, over eight bytes 50. An index gives 10 to 12 ns an entry with putting it in its
/// place, and 33 to 47 a key where it is gone from one to the next; a look-up with the making of its key takes 650, and
/// 350 where many are made in order. A search in texts that are no codes takes 1 to 8 ns an object, a pattern 100 to 120,
/// sorting 26 to 50 for 300,000 objects, the different values of a thousand 4. What is said of links goes by what was
/// measured earlier, brought to the same scale.
enum CostModel {
  /// Stepping to the next cluster and checking its directory.
  static let cluster = 40.0
  /// Finding a cluster by number.
  static let clusterByNumber = 100.0
  /// Looking up a place in an index.
  static let indexSeek = 650.0
  /// Going to the first or last key of a range and reading it.
  static let indexEnd = 250.0
  /// Reading one object number of an index, a page at a time, and putting it in its place.
  static let indexEntry = 12.0
  /// With fewer candidates than this for each object that a top-k query wants, most clusters are read anyway.
  static let fewContenders = 8.0
  /// Reading one object number in the order of an index and asking whether its object passed.
  static let orderedEntry = 45.0
  /// Jumping to the next key of an index, with what is done with the key.
  static let indexKey = 45.0
  /// Making values of a key, and a group of them.
  static let decodedKey = 350.0
  /// Counting one object in a range of an index, a page at a time.
  static let countedObject = 3.0
  /// A step of counting what a range of an index holds: a sixteenth of a page.
  static let countingStep = 3.0
  /// Looking up what group one object is of.
  static let groupedRow = 3.0
  /// Making a group of a number that was not met before.
  static let groupOfNumber = 200.0
  /// Making a group of a text that was not met before.
  static let groupOfText = 350.0
  /// How many objects are asked for each one that an index led to: kernels look at more of a cluster than that one.
  static let askedPerObject = 4.0
  /// Comparing two objects while sorting, times the logarithm of their number.
  static let sortStep = 2.0
  /// Comparing an object with the last of the first ones of a sort.
  static let contender = 1.5
  /// Comparing a text with another of the same object.
  static let textPair = 12.0
  /// Changing the letters of a text.
  static let changedText = 2.0
  /// Folding a text.
  static let foldedText = 15.0
  /// Comparing values that are kept boxed.
  static let boxedValue = 60.0
  /// Evaluating an expression row by row.
  static let row = 110.0
  /// Asking about the elements of one object, one by one.
  static let quantifiedRow = 260.0
  /// Asking one object about those it links to, one by one.
  static let linkedRow = 650.0
  /// What each linked object adds to that.
  static let linkedObject = 130.0
  /// Finding out who is linked to by one object of a set.
  static let linkedSource = 9.0
  /// Working out a number of one object, to be asked for by others.
  static let linkedNumber = 1.0
  /// Noting down the links of one object, to be followed later.
  static let linkTable = 17.0
  /// What a set of linked objects takes beside finding them.
  static let linkedSet = 9_000.0
  /// Reading a text of one object and finding its place among all.
  static let rankedValue = 175.0
  /// Adding a number of one object to a sum.
  static let summed = 0.2
  /// Looking at the code of a text.
  static let codedText = 0.12
  /// Folding a text and looking it up among others.
  static let foldedAndLookedUp = 30.0
  /// How many different texts a column has for each object, where a cluster or several keep each text once.
  typealias Coded = (column: Int, texts: Double)
  /// Objects in a cluster.
  static let slots = 256.0

  /// Asking one object.
  ///
  /// - Parameter coded: The columns of texts that are kept by dictionary: there each text is asked once.
  static func perObject(_ predicate: BoundPredicate, coded: [Coded] = []) -> Double {
    switch predicate {
    case .constant: 0
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
    case .comparison(let comparison) where ObjectIDFilter(comparison) != nil: 0.12
    case .quantified where predicate.goesThroughLinks: linkedRow
    case .comparison(let comparison) where comparison.operands.contains(where: \.followsLinksByRow): linkedRow
    case .quantified, .lists: quantifiedRow
    case .comparison where predicate.isConstant: 0
    case .comparison(let comparison):
      if let choice = comparison.choice {
        [choice.condition, choice.yes, choice.no].reduce(1) { $0 + perObject($1, coded: coded) }
      } else {
        perObject(comparison)
      }
    }
  }

  /// A comparison evaluated by vectors.
  private static func perObject(_ comparison: BoundComparison) -> Double {
    let operands = comparison.operands.reduce(0) { $0 + perObject($1) }
    switch comparison.left.vectorForm {
    case .integers, .doubles, .flags: return max(1, operands)
    case .values: return boxedValue + operands
    case .strings:
      let isConstant = comparison.right.allSatisfy { $0.constant != nil }
      if isConstant { return operands + (comparison.test.map { perObject(.text($0)) } ?? textPair) }
      return operands + textPair + (comparison.folding.isNone ? 0 : 2 * foldedText)
    }
  }

  /// Asking one object, with its share of what finding a set of linked objects costs.
  static func perObject(
    _ predicate: BoundPredicate, _ condition: Filter, objects: Double, coded: [Coded] = []
  ) -> Double {
    if case .or = predicate, condition is StringFilter { return foldedAndLookedUp }
    guard let linked = condition as? SemijoinFilter else { return perObject(predicate, coded: coded) }
    return min(linked.perObject, 2 + linked.setup / max(objects, 1))
  }

  /// Evaluating an expression for one object of a cluster that is evaluated as a whole.
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
        case .calendar: 20.0
        case .distance: 60.0
        case .real: function == .sqrt ? 1.0 : 8.0
        case .length, .arithmetic: 8.0
        case .string: changedText
        case .rounding, .bits: 1.0
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
      case .uuid(_)?: 10
      default: 0.12
      }
    case .oneOf(let values):
      switch values.first {
      case .string(_)?, .data(_)?: 6
      case .uuid(_)?: 20
      default: 2
      }
    case .text(let test):
      switch test.question {
      // Texts without the part that every match has are no work for the pattern.
      case .matches: test.part == nil ? 120 : 40
      case .contains: test.folding.ignoresDiacritics ? 12 : test.folding.ignoresCase ? 8 : 6
      default: test.folding.isNone ? 4 : 15
      }
    }
  }

  /// How many clusters hold `objects` scattered over `clusters`.
  static func clustersTouched(_ objects: Double, of clusters: Double) -> Double {
    guard clusters >= 1, objects > 0 else { return 0 }
    // 1 − (1 − 1/c)ⁿ is nearly 1 − e^(−n/c); a rational form is near enough.
    let load = objects / clusters
    return min(objects, clusters * load / (1 + load))
  }

  /// Asking conjuncts in order about `objects` that lie in `clusters`.
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
