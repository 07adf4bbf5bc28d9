internal import Values

/// The values of the variables of the enclosing quantifiers and SUBQUERYs, by level; the outermost level is 0.
///
/// A value type: binding a variable in a copy does not affect the enclosing scope.
package struct ElementScope {
  private var values: [Value] = []

  /// A scope without variables.
  package init() {}

  /// The element at a level; nil if none is bound.
  subscript(level: Int) -> Value {
    values.indices.contains(level) ? values[level] : .null
  }

  /// Binds the variable of a level. Earlier values of inner levels become meaningless.
  mutating func bind(_ level: Int, to value: Value) {
    while values.count <= level { values.append(.null) }
    values[level] = value
  }
}
