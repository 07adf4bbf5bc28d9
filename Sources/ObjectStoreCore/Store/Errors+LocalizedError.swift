public import Diagnostics
public import FoundationEssentials
public import QueryEngine
public import Schema
public import Storage

// Makes `localizedDescription` of a store's errors the same as their `description`, which names the place and the
// remedy.

extension StoreError: LocalizedError {
  /// The error and its remedy.
  public var errorDescription: String? { description }
}

extension DiagnosticError: LocalizedError {
  /// All errors in the text, with places, notes and fixes.
  public var errorDescription: String? { DiagnosticRenderer().text(self) }
  /// The best fix of the first mistake.
  public var recoverySuggestion: String? { fix?.message }
}

extension Diagnostic: LocalizedError {
  /// The message with its notes. Its place is in a text that the diagnostic does not have.
  public var errorDescription: String? { ([message] + notes).joined(separator: "; ") }
  /// The best fix.
  public var recoverySuggestion: String? { fixes.first?.message }
}

extension StructList.Fault: LocalizedError {
  /// Which struct is at fault, and why.
  public var errorDescription: String? { message }
}

extension IndexOutOfRange: LocalizedError {
  /// The error, in a sentence.
  public var errorDescription: String? { description }
}

extension OpenLink: LocalizedError {
  /// The problem, in a sentence.
  public var errorDescription: String? { description }
}

extension GraphFault: LocalizedError {
  /// Which object can't be added, and why.
  public var errorDescription: String? { "\(place): \(error.description)" }
}

extension QueryCancelled: LocalizedError {
  /// The error, in a sentence.
  public var errorDescription: String? { "the query was cancelled" }
}
