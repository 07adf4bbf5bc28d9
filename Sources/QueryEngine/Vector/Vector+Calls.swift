internal import Storage
internal import Values

/// Evaluates functions of numbers and dates.
extension Vector {
  /// Evaluates a function that has a kernel.
  func evaluate(
    _ function: ScalarFunction, _ operands: [VectorExpression], _ input: VectorInput, _ context: ExecutionContext,
    wanted: Mask
  ) throws {
    if function == .distance { return try evaluateDistance(operands, input, context, wanted: wanted) }
    if operands.count == 2 {
      return try evaluate(function, of: operands[0], operands[1], input, context, wanted: wanted)
    }
    guard let operand = operands.first else { throw StoreError.unsupported("a function without an argument") }
    try operand.evaluate(into: self, input, context, wanted: wanted)
    apply(function, wanted: wanted)
  }

  /// Evaluates a function of two numbers; most are equivalent to operators.
  private func evaluate(
    _ function: ScalarFunction, of first: VectorExpression, _ second: VectorExpression, _ input: VectorInput,
    _ context: ExecutionContext, wanted: Mask
  ) throws {
    try first.evaluate(into: self, input, context, wanted: wanted)
    try context.withVector { right in
      try second.evaluate(into: right, input, context, wanted: wanted)
      if let operation = function.operation {
        try apply(operation, right)
      } else if function == .round {
        takeRounded(places: right, areFloats: first.expression.type == .float, wanted: wanted)
      } else {
        takeRemainder(by: right, wanted: wanted)
      }
    }
  }

  /// The distances between two points in every slot, each given by longitude and latitude.
  private func evaluateDistance(
    _ operands: [VectorExpression], _ input: VectorInput, _ context: ExecutionContext, wanted: Mask
  ) throws {
    try context.withVector { a in
      try context.withVector { b in
        try context.withVector { c in
          let vectors = [self, a, b, c]
          for (vector, operand) in zip(vectors, operands) {
            try operand.evaluate(into: vector, input, context, wanted: wanted)
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

  /// Evaluates a function of one number or date.
  private func apply(_ function: ScalarFunction, wanted: Mask) {
    switch function.family {
    case .rounding(let rounding):
      if !isInteger {
        convertToDoubles()
        for slot in 0..<Mask.slotCount { doubles[slot] = rounding(doubles[slot]) }
      } else if rounding == .magnitude {
        for slot in 0..<Mask.slotCount where integers[slot] < 0 {
          if integers[slot] == .min { nulls[slot] = true }
          integers[slot] = 0 &- integers[slot]
        }
      }
    case .real(let real):
      convertToDoubles()
      if real.isSlow {
        wanted.andNot(nulls).forEach { doubles[$0] = real(doubles[$0]) }
      } else {
        for slot in 0..<Mask.slotCount { doubles[slot] = real(doubles[slot]) }
      }
    case .calendar(let part): takeCalendarPart(part, wanted: wanted)
    case .bits: complement()
    // These have two operands, or are no functions of numbers: `evaluate` has them.
    case .arithmetic, .string, .folding, .length, .joined, .part, .replaced, .bucket, .first, .distance: break
    }
  }
}
