extension Arguments: ExpressibleByArrayLiteral {
  /// Arguments by position: `["us1000chhc", 5]`.
  public init(arrayLiteral elements: (any QueryArgument)?...) { self.init(elements) }
}

extension Arguments: ExpressibleByDictionaryLiteral {
  /// Arguments by name: `["min": 5]`. Of two with one name the last counts.
  public init(dictionaryLiteral elements: (String, (any QueryArgument)?)...) {
    self.init(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}
