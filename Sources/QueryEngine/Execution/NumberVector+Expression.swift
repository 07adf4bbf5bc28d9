internal import Storage
internal import Values

extension BoundExpression {
  /// Whether it can be computed for a whole cluster at once: numbers and dates, and nothing that decides by row.
  var isVectorizable: Bool {
    if isRanked { return true }
    switch type {
    case .int, .float, .double, .date, .object: break
    default: return false
    }
    switch self {
    case .constant, .column, .gathered, .own: return true
    case .reduced(.count, .column), .reduced(.count, .keys), .reduced(.count, .positions(of: .column)): return true
    case .computed, .now, .ternary, .element, .reduced, .item, .entry, .object, .property, .assembled: return false
    case .negate(let operand), .complement(let operand): return operand.isVectorizable
    case .arithmetic(let first, let steps):
      return first.isVectorizable && steps.allSatisfy { $0.operand.isVectorizable && $0.type != .number }
    case .call(let function, let operands):
      switch function {
      case .abs, .ceiling, .floor, .round, .trunc, .sqrt, .exp, .ln, .log, .distance, .modulus, .raise, .bitwiseAnd,
        .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement:
        return operands.allSatisfy(\.isVectorizable)
      case .year, .month, .day, .hour: return operands.allSatisfy { $0.type == .date && $0.isVectorizable }
      case .length:
        return operands.allSatisfy {
          if case .column(_, let type) = $0 { type == .string } else { false }
        }
      default: return false
      }
    }
  }
}

extension BoundExpression {
  /// Whether what is computed for a cluster are not the values, but their places in order.
  var isRanked: Bool { if case .gathered(let gathering) = self { gathering.isRanked } else { false } }

  /// Whether it reads nothing but its own cluster.
  var isLocal: Bool { !goesThroughLinks }
}

extension NumberVector {
  /// Computes an expression that `isVectorizable` for every slot of a cluster.
  ///
  /// - Parameter wanted: The slots that are asked about, where the others may be left out.
  func evaluate(
    _ expression: BoundExpression, _ cluster: ClusterView, _ scratch: Scratch, wanted: Mask = .all
  ) throws {
    switch expression {
    case .constant(let value): fill(value)
    case .column(let column, _): load(try cluster.column(column))
    case .own: loadNumbers(of: cluster)
    case .gathered(let gathering): try gathering.gather(into: self, cluster, scratch)
    case .negate(let operand):
      try evaluate(operand, cluster, scratch, wanted: wanted)
      negate()
    case .complement(let operand):
      try evaluate(operand, cluster, scratch, wanted: wanted)
      complement()
    case .arithmetic(let first, let steps):
      try evaluate(first, cluster, scratch, wanted: wanted)
      try scratch.withVector { right in
        for step in steps {
          if case .constant(let value) = step.operand, apply(step.operation, constant: value) { continue }
          try right.evaluate(step.operand, cluster, scratch, wanted: wanted)
          apply(step.operation, right)
        }
      }
    case .call(.distance, let operands): try evaluateDistance(operands, cluster, scratch, wanted: wanted)
    case .call(.length, let operands):
      guard let column = operands.first?.column else { return fill(.null) }
      try loadLengths(try cluster.column(column), wanted: wanted)
    case .call(let function, let operands):
      guard let operand = operands.first else { return fill(.null) }
      if operands.count == 2 {
        return try evaluate(function, of: operand, operands[1], cluster, scratch, wanted: wanted)
      }
      try evaluate(operand, cluster, scratch, wanted: wanted)
      apply(function, wanted: wanted)
    case .reduced(_, .positions(of: .column(let column, _))):
      load(try cluster.column(column))
      replaceNils()
    case .reduced(_, let collection):
      guard let column = collection.column else { return fill(.null) }
      loadCounts(try cluster.column(column))
    case .computed, .now, .ternary, .element, .item, .entry, .object, .property, .assembled: fill(.null)
    }
  }

  /// A function of two numbers, most of which are operators in words.
  private func evaluate(
    _ function: ScalarFunction, of first: BoundExpression, _ second: BoundExpression, _ cluster: ClusterView,
    _ scratch: Scratch, wanted: Mask
  ) throws {
    try evaluate(first, cluster, scratch, wanted: wanted)
    try scratch.withVector { right in
      try right.evaluate(second, cluster, scratch, wanted: wanted)
      if let operation = function.operation {
        apply(operation, right)
      } else {
        takeRemainder(by: right, wanted: wanted)
      }
    }
  }

  /// The distances between two places in every slot, from two longitudes with their latitudes.
  private func evaluateDistance(
    _ operands: [BoundExpression], _ cluster: ClusterView, _ scratch: Scratch, wanted: Mask
  ) throws {
    guard operands.count == 4 else { return fill(.null) }
    try scratch.withVector { a in
      try scratch.withVector { b in
        try scratch.withVector { c in
          let vectors = [self, a, b, c]
          for (vector, operand) in zip(vectors, operands) {
            try vector.evaluate(operand, cluster, scratch, wanted: wanted)
            vector.convertToDoubles()
          }
          nulls = vectors.reduce(Mask.none) { $0 | $1.nulls }
          wanted.andNot(nulls).forEach { slot in
            if let first = GeoPoint(longitude: doubles[slot], latitude: a.doubles[slot]),
              let second = GeoPoint(longitude: b.doubles[slot], latitude: c.doubles[slot])
            {
              doubles[slot] = first.distance(to: second)
            } else {
              nulls[slot] = true
            }
          }
        }
      }
    }
  }

  private func apply(_ function: ScalarFunction, wanted: Mask) {
    switch function {
    case .abs where isInteger:
      for slot in 0..<Mask.slotCount where integers[slot] < 0 {
        if integers[slot] == .min { nulls[slot] = true }
        integers[slot] = 0 &- integers[slot]
      }
      return
    case .ceiling, .floor, .round, .trunc: if isInteger { return }
    case .year, .month, .day, .hour: return takeCalendarPart(function, wanted: wanted)
    case .onesComplement: return complement()
    default: break
    }
    convertToDoubles()
    switch function {
    case .exp, .ln, .log: wanted.andNot(nulls).forEach { doubles[$0] = function.real(doubles[$0]) }
    default: for slot in 0..<Mask.slotCount { doubles[slot] = function.real(doubles[slot]) }
    }
  }
}
