internal import Diagnostics
internal import PredicateLanguage
internal import Storage
internal import Values

extension GraphInserter {
  /// Adds or merges objects of a statement, and reports errors with their positions in the text. Links must have
  /// existing targets.
  func telling<R>(_ text: ObjectText, _ body: (GraphInserter) throws -> R) throws -> R {
    refusesOpenLinks = true
    do {
      return try body(self)
    } catch let link as OpenLink {
      throw QueryError(
        source: text.source,
        Diagnostic(
          code: .unknownObject, message: link.description, range: text.range(of: link.place),
          notes: ["add it first, or write it here as an object"]))
    } catch let fault as GraphFault {
      switch fault.error {
      case .missingValue(let entity, let path):
        throw text.error(
          .missingValue, fault.place, "needs a value", notes: ["\(entity).\(path) is not optional and has no default"])
      // The object around all others has no place of its own: the store says what is wrong with it.
      case .constraintViolated(let violation) where !fault.isOfRoot:
        throw text.error(
          .valueDoesNotFit, fault.place,
          "is \(ExpressionSyntax(.literal(violation.value)).predicateFormat), and so is that of another "
            + violation.entity,
          notes: ["\(violation.entity).\(violation.path) is unique"])
      default: throw fault.error
      }
    }
  }
}
