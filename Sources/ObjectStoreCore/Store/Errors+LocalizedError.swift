public import Diagnostics
public import FoundationEssentials
public import QueryEngine
public import Storage

// What `localizedDescription` says of the errors of a store: the same as their descriptions, which say where and what to do.

extension StoreError: LocalizedError {
  /// What happened and what to do about it.
  public var errorDescription: String? { description }
}

extension DiagnosticError: LocalizedError {
  /// Everything that is wrong with the text, with the places, notes and fixes.
  public var errorDescription: String? { DiagnosticRenderer().text(self) }
  /// The best fix of the first mistake.
  public var recoverySuggestion: String? { fix?.message }
}

extension IndexOutOfRange: LocalizedError {
  /// What happened.
  public var errorDescription: String? { description }
}

extension OpenLink: LocalizedError {
  /// What is wrong, in a sentence.
  public var errorDescription: String? { description }
}

extension GraphFault: LocalizedError {
  /// Which object can't be added, and why.
  public var errorDescription: String? { "\(place): \(error.description)" }
}

extension QueryCancelled: LocalizedError {
  /// What happened.
  public var errorDescription: String? { "the query was cancelled" }
}
