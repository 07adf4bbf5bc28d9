internal import PredicateLanguage
internal import Storage
internal import Values

/// The input of an evaluation: the slots of a cluster, or the entries of a dictionary in place of the only column that
/// is read.
enum VectorInput {
  case cluster(ClusterView)
  case dictionary(TextBlock)
  /// One slot in which every column is nil.
  case nothing

  /// The slots that exist.
  var present: Mask {
    switch self {
    case .cluster(let cluster): cluster.present
    case .dictionary(let entries): Mask(firstCount: min(entries.count, Mask.slotCount))
    case .nothing: Mask(slot: 0)
    }
  }
}

extension VectorExpression {
  /// Evaluates the expression for a cluster.
  ///
  /// - Parameter wanted: The requested slots; the others are undefined afterwards.
  func evaluate(into vector: Vector, _ cluster: ClusterView, _ context: ExecutionContext, wanted: Mask = .all) throws {
    try evaluate(into: vector, .cluster(cluster), context, wanted: wanted)
  }

  /// Evaluates the expression for any input.
  func evaluate(into vector: Vector, _ input: VectorInput, _ context: ExecutionContext, wanted: Mask) throws {
    try evaluateNode(into: vector, input, context, wanted)
    if hasKeyBytes { try vector.takeKeyBytes(wanted: wanted & input.present) }
  }

  private func evaluateNode(
    into vector: Vector, _ input: VectorInput, _ context: ExecutionContext, _ wanted: Mask
  ) throws {
    switch node {
    case .constant(let value): vector.fill(value)
    case .column(let column): try load(column, into: vector, input, wanted)
    case .negate(let operand):
      try operand.evaluate(into: vector, input, context, wanted: wanted)
      if expression.type == .decimal { vector.negateDecimals(wanted: wanted & input.present) } else { vector.negate() }
    case .complement(let operand):
      try operand.evaluate(into: vector, input, context, wanted: wanted)
      vector.complement()
    case .arithmetic(let first, let steps):
      try first.evaluate(into: vector, input, context, wanted: wanted)
      try context.withVector { right in
        for step in steps {
          try context.cancellation.step(CancellationCheck.stepsPerPart)
          if !step.isDecimal, case .constant(let value) = step.operand.node,
            vector.apply(step.operation, constant: value)
          {
            continue
          }
          try step.operand.evaluate(into: right, input, context, wanted: wanted)
          if step.isDecimal {
            vector.applyDecimals(step.operation, right, wanted: wanted & input.present)
          } else {
            try vector.apply(step.operation, right)
          }
        }
      }
    case .call(let function, let operands):
      try vector.evaluate(function, operands, input, context, wanted: wanted)
    case .transform(let transform, let operand):
      try operand.evaluate(into: vector, input, context, wanted: wanted)
      try vector.apply(transform, wanted: wanted & input.present)
    case .length(let operand):
      try operand.evaluate(into: vector, input, context, wanted: wanted)
      vector.takeLengths(wanted: wanted & input.present)
    case .joined(let first, let others):
      try first.evaluate(into: vector, input, context, wanted: wanted)
      try context.withVector { right in
        for other in others {
          try other.evaluate(into: right, input, context, wanted: wanted)
          try vector.append(right, isConstant: other.expression.constant != nil, wanted: wanted & input.present)
        }
      }
    case .periodStart(let period, let operand):
      try operand.evaluate(into: vector, input, context, wanted: wanted)
      vector.takePeriodStart(period, wanted: wanted & input.present)
    case .firstOf(let first, let others):
      try vector.evaluate(first, orElse: others, form, input, context, wanted: wanted & input.present)
    case .choice(let predicate, let condition, let yes, let no):
      let wanted = wanted & input.present
      let chosen = try Self.mask(predicate, condition, input, context, wanted)
      try vector.evaluate(chosen, yes, no, form, input, context, wanted: wanted)
    case .rows(let rows): try vector.evaluate(rows: rows, expression.vectorForm, input, context, wanted & input.present)
    case .objectID, .gathered, .elementCount, .structCount:
      guard case .cluster(let cluster) = input else {
        throw StoreError.unsupported("an expression over a dictionary that reads more than its strings")
      }
      try load(into: vector, cluster, context)
    }
  }

  /// Its value for each entry of a dictionary of its only column, and at the end its value where that column is nil.
  func values(ofDictionary entries: TextBlock, _ context: ExecutionContext) throws -> [Value] {
    try [VectorInput.dictionary(entries), .nothing].flatMap { input in
      try context.withVector { vector in
        try evaluate(into: vector, input, context, wanted: input.present)
        return (0..<input.present.count).map { vector.value(at: $0, of: expression.type) }
      }
    }
  }

  private func load(_ column: Int, into vector: Vector, _ input: VectorInput, _ wanted: Mask) throws {
    switch input {
    case .dictionary(let entries): vector.fill(entries)
    case .nothing: vector.fill(.null)
    case .cluster(let cluster):
      let view = try cluster.column(column)
      if hasKeyBytes {
        try vector.loadKeys(view, wanted: wanted)
      } else if form == .strings {
        try vector.loadStrings(view, wanted: wanted)
      } else if expression.type == .decimal {
        try vector.loadDecimals(view, wanted: wanted & input.present)
      } else {
        try vector.load(view)
      }
    }
  }

  /// Evaluates nodes that read a cluster, but no column of single values.
  private func load(into vector: Vector, _ cluster: ClusterView, _ context: ExecutionContext) throws {
    switch node {
    case .objectID: vector.loadObjectIDs(of: cluster)
    case .gathered(let gathering): try gathering.gather(into: vector, cluster, context)
    case .elementCount(let column): vector.loadCounts(try cluster.column(column))
    case .structCount(let column):
      try vector.load(try cluster.column(column))
      vector.replaceNils()
    case .constant, .column, .negate, .complement, .arithmetic, .call, .transform, .length, .joined, .periodStart,
      .firstOf, .choice, .rows:
      break
    }
  }

  /// The slots that satisfy a predicate inside an expression.
  private static func mask(
    _ predicate: BoundPredicate, _ filter: any Filter, _ input: VectorInput, _ context: ExecutionContext, _ wanted: Mask
  ) throws -> Mask {
    switch input {
    case .cluster(let cluster): return try filter.mask(cluster, wanted, context)
    case .dictionary(let entries):
      let row = DictionaryRow(entries, context.cancellation)
      var found = Mask.none
      try wanted.forEach { slot in
        row.slot = slot
        if try predicate.holds(for: row) { found[slot] = true }
      }
      return found
    case .nothing: return try predicate.holds(for: NoRow()) ? wanted : .none
    }
  }
}

extension Vector {
  /// Evaluates one expression for the chosen slots, and another for the others.
  fileprivate func evaluate(
    _ chosen: Mask, _ yes: VectorExpression, _ no: VectorExpression, _ form: VectorForm, _ input: VectorInput,
    _ context: ExecutionContext, wanted: Mask
  ) throws {
    let others = wanted.andNot(chosen)
    if others.isEmpty || chosen.isEmpty {
      try (others.isEmpty ? yes : no).evaluate(into: self, input, context, wanted: wanted)
      // Another cluster with the same dictionary may choose differently.
      strings.storedDictionary = nil
      return
    }
    try no.evaluate(into: self, input, context, wanted: others)
    try context.withVector { vector in
      try yes.evaluate(into: vector, input, context, wanted: chosen)
      try take(vector, in: chosen, form, wanted: wanted)
    }
  }

  /// Evaluates an expression, and others one after another for the slots that are still nil.
  fileprivate func evaluate(
    _ first: VectorExpression, orElse others: [VectorExpression], _ form: VectorForm, _ input: VectorInput,
    _ context: ExecutionContext, wanted: Mask
  ) throws {
    try first.evaluate(into: self, input, context, wanted: wanted)
    for other in others {
      let missing = wanted & nulls
      if missing.isEmpty { break }
      try context.withVector { vector in
        try other.evaluate(into: vector, input, context, wanted: missing)
        try take(vector, in: missing, form, wanted: wanted)
      }
    }
    // Another cluster with the same dictionary may have other values for nil.
    strings.storedDictionary = nil
  }

  /// Copies the values of another vector in some slots, and keeps its own in the other requested slots. Each vector has
  /// the given form, or is nil everywhere.
  private func take(_ other: Vector, in slots: Mask, _ form: VectorForm, wanted: Mask) throws {
    // A vector of nils may have any form.
    let isNil = other.form != form
    guard self.form == form || wanted.andNot(slots).andNot(nulls).isEmpty, !isNil || slots.andNot(other.nulls).isEmpty
    else { throw StoreError.unsupported("a vector of another form than its expression's type") }
    if self.form != form { nulls = .all }
    let taken = isNil ? .none : slots
    self.form = form
    if !isNil {
      switch form {
      case .integers: slots.forEach { integers[$0] = other.integers[$0] }
      case .doubles: slots.forEach { doubles[$0] = other.doubles[$0] }
      case .flags: flags = (flags.andNot(slots)) | (other.flags & slots)
      case .strings: try takeStrings(of: other, in: taken, wanted: wanted)
      case .decimals, .values:
        if values.count < Mask.slotCount { values = [Value](repeating: .null, count: Mask.slotCount) }
        slots.forEach { values[$0] = other.values[$0] }
      }
    }
    nulls = nulls.andNot(slots) | (isNil ? slots : other.nulls & slots)
  }
}
