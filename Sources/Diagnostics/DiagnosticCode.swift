/// The kinds of problem that anything in this package can tell of: nothing else can be told.
///
/// The `name` is the stable form, for people and programs; `meaning`, `remedy` and `example` are the catalogue the
/// documentation is made of.
public enum DiagnosticCode: String, CaseIterable, Hashable, Sendable {
  /// What can be wrong with any text before its grammar is looked at.
  case textTooLong, tooManyNodes, nestingTooDeep, invalidCharacter, smartQuotes, unterminatedString,
    unterminatedName, unterminatedComment, invalidEscape, earlyQuote
  /// Literals without a value.
  case invalidNumber, integerOverflow, invalidDate, invalidUUID, invalidData, invalidDecimal,
    invalidPlaceholder
  /// A predicate that is not whole.
  case emptyPredicate, expectedValue, expectedOperator, expectedComparison, expectedPath, expectedText, expectedRing,
    expectedVariable, unexpectedToken, unclosedBracket, unopenedBracket
  /// What other languages write, and what is written here instead.
  case isNull, negatedOperator, betweenBounds, chainedComparison, countStar, listInBrackets, listInParentheses,
    percentModulus, unquotedText, unknownOperator, unsupportedOperator, unknownOption, unsupportedOption,
    misplacedQuantifier, predicateAsValue, placeholderAsPredicate, unsupportedFunction, unsupportedCast,
    unknownFunction, wrongArgumentCount, unknownAggregate, unknownUnit, unknownVariable
  /// Tails and the clauses of statements.
  case emptyStatement, unknownStatement, missingEntity, unknownClause, foreignClause, duplicateClause,
    unexpectedClause, missingSemicolon, expectedBy, expectedName, expectedSet, expectedAssignment, expectedObject,
    invalidJSON,
    invalidCount, unknownDirection, selectStar, clauseNotHere
  /// Groups of objects.
  case notGroupKey, havingWithoutGroup, aggregateAsKey, nothingGrouped
  /// What statements do to a store.
  case valueDoesNotFit, unknownObject, transactionOpen, noTransaction, needsYes
  /// Names and types, held against a schema.
  case unknownEntity, unknownProperty, unknownKeyPath, typeMismatch, neverNil, neverEqual, percentInLike,
    textAfterIn, quantifierOnSingleValue, aggregateOfSingleValue, badPattern, badPoint, badShape, unsupported,
    recursiveDefinition, duplicateProperty, missingValue
  /// The arguments given for placeholders.
  case missingArgument, extraArgument, mixedPlaceholders, listTooLong
  /// The text of a schema.
  case invalidSchema, noModels, notAStruct, nestedModel, noType, reservedWord, unknownType, unsupportedElement,
    dictionaryKey, attributeOfSeveral, unknownAttribute, unknownArgument, unknownDeleteRule, unknownIndexKind,
    wrongRoot, missingInverse, defaultNotConstant
  /// A schema whose parts do not fit together.
  case invalidName, reservedName, nameInUse, duplicateName, noProperties, tooManyColumns, selfEmbedding,
    optionalCollection, linkNotOptional, linkInEmbedded, unknownInverse, wrongAttribute, wrongDefault, emptyIndex,
    duplicateIndex, wrongIndex, indexOfEmbedded

  /// The stable, kebab-case name, such as `unknown-property`.
  public var name: String {
    let letters = Array(rawValue.utf8)
    func isCapital(_ place: Int) -> Bool { place < letters.count && letters[place] &- UInt8(ascii: "A") < 26 }
    var name = ""
    for (place, letter) in letters.enumerated() {
      // A word starts at a capital after a small letter, and at the last of several capitals: `notAStruct`.
      let next = place + 1 < letters.count && !isCapital(place + 1)
      if isCapital(place), place > 0, !isCapital(place - 1) || next { name += "-" }
      name.unicodeScalars.append(Unicode.Scalar(letter | 0x20))
    }
    return name
  }

  /// The code with a stable name; nil when there is none.
  public init?(name: String) {
    guard let code = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = code
  }
}

extension DiagnosticCode: CustomStringConvertible {
  /// The stable name.
  public var description: String { name }
}
