/// The complete list of problems that this package can report.
///
/// The `name` is the stable identifier, for people and programs; the documentation is generated from `meaning`,
/// `remedy` and `example`.
public enum DiagnosticCode: String, CaseIterable, Hashable, Sendable {
  /// Problems of any text, before parsing.
  case textTooLong, tooManyNodes, nestingTooDeep, invalidCharacter, smartQuotes, unterminatedString,
    unterminatedName, unterminatedComment, invalidEscape, earlyQuote
  /// Literals without a value.
  case invalidNumber, integerOverflow, invalidDate, invalidUUID, invalidData, invalidDecimal,
    invalidPlaceholder
  /// A predicate that is not whole.
  case emptyPredicate, expectedValue, expectedOperator, expectedComparison, expectedPath, expectedText, expectedRing,
    expectedVariable, unexpectedToken, unclosedBracket, unopenedBracket
  /// Syntax of other languages, with the equivalent here.
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
  /// Changes to a store by statements.
  case valueDoesNotFit, unknownObject, transactionOpen, noTransaction, needsYes
  /// Names and types, held against a schema.
  case unknownEntity, unknownProperty, unknownKeyPath, typeMismatch, neverNil, neverEqual, percentInLike,
    textAfterIn, quantifierOnSingleValue, aggregateOfSingleValue, badPattern, badPoint, badShape, unsupported,
    recursiveDefinition, duplicateProperty, missingValue
  /// The arguments for placeholders.
  case missingArgument, extraArgument, mixedPlaceholders, listTooLong
  /// The text of a schema.
  case invalidSchema, noModels, notAStruct, nestedModel, noType, reservedWord, unknownType, unsupportedElement,
    dictionaryKey, attributeOfSeveral, unknownAttribute, unknownArgument, unknownDeleteRule, unknownIndexKind,
    wrongRoot, missingInverse, defaultNotConstant
  /// A schema with inconsistent parts.
  case invalidName, reservedName, nameInUse, duplicateName, noProperties, tooManyColumns, selfEmbedding,
    optionalCollection, linkNotOptional, linkInEmbedded, unknownInverse, wrongAttribute, wrongDefault, emptyIndex,
    duplicateIndex, unknownIndex, wrongIndex, indexOfEmbedded

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
