internal import PredicateLanguage

extension ArgumentSubstitution {
  /// The shape with every placeholder filled.
  mutating func shape(_ syntax: ShapeSyntax) -> ShapeSyntax {
    switch syntax {
    case .circle(let center, let radius, let unit):
      let center = expression(center)
      return .circle(center: center, radius: expression(radius), unit: unit)
    case .box(let lowerLeft, let upperRight):
      let lowerLeft = expression(lowerLeft)
      return .box(lowerLeft, expression(upperRight))
    case .polygon(let outer, let holes):
      let outer = outer.map { expression($0) }
      return .polygon(outer: outer, holes: holes.map { hole in hole.map { expression($0) } })
    }
  }
}
