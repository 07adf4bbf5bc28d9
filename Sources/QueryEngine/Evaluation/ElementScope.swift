internal import Values

/// What the variables of the quantifiers and SUBQUERYs around a predicate stand for, by level: the outermost is 0.
///
/// It is a value: who binds a variable works on a copy, and those outside see nothing of it.
package struct ElementScope {
  private var values: [Value] = []

  /// No variables.
  package init() {}

  /// The element at a level; nil where none is bound.
  subscript(level: Int) -> Value {
    values.indices.contains(level) ? values[level] : .null
  }

  /// Lets the variable of a level stand for a value. Inner ones of before mean nothing any more.
  mutating func bind(_ level: Int, to value: Value) {
    while values.count <= level { values.append(.null) }
    values[level] = value
  }
}
