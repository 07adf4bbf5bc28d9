internal import Storage
internal import Values

extension NumberBlock {
  /// The largest exponent of the decimals in a table; nil unless all are stored as integers that stay distinct with
  /// that exponent.
  static func commonExponent(_ rows: ColumnTable, _ count: Int) -> Int? {
    var most = 0
    var greatest = 0.0
    for row in 0..<count {
      let column = rows.rows + row
      guard case .numbers(let layout, .doubles) = column.pointee.layout, layout.isOfIntegers else { return nil }
      most = max(most, Int(column.pointee.exponent))
      greatest = max(
        greatest, abs(Double(bitPattern: column.pointee.minimum)), abs(Double(bitPattern: column.pointee.maximum)))
    }
    return greatest * powerOfTen(most) < Double(limit / 2) ? most : nil
  }

  /// The largest number of places of the Decimals in a table; nil unless all are stored as integers, or as one value for
  /// a whole cluster, and the integers for so many places fit 64 bits.
  static func commonPlaces(_ column: Int, _ rows: ColumnTable, _ table: TableScan) throws -> Int? {
    var clusters: [(places: Int, magnitude: Double)] = []
    clusters.reserveCapacity(table.count)
    for row in 0..<table.count {
      if let numbers = rows.rows[row].numbers, numbers.kind == .decimals {
        clusters.append((numbers.exponent, numbers.magnitude(Int(rows.rows[row].slotCount))))
      } else if case .same(let value) = try table.view(row).column(column).values {
        if value.isNull { continue }
        guard let number = value.exact, let places = number.places, let whole = number.integer(places: places)
        else { return nil }
        clusters.append((places, Double(whole.magnitude)))
      } else {
        return nil
      }
    }
    let most = clusters.reduce(0) { max($0, $1.places) }
    let fits = clusters.allSatisfy { $0.places == most || $0.magnitude * powerOfTen(most - $0.places) < 0x1p62 }
    return fits ? most : nil
  }

  /// A number that the magnitude of no integer exceeds.
  private func magnitude(_ count: Int) -> Double {
    if let stored = storedIntegers { return (0..<count).reduce(0) { max($0, Double(stored[$1].magnitude)) } }
    return Double(base.magnitude) + Double(layout.mostOffset ?? 0)
  }
}

extension DecimalValue {
  /// The number of its decimal places, if clusters of integers can have so many.
  fileprivate var places: Int? {
    let places = max(0, -exponent)
    return isNaN || !NumberBlock.exactExponents.contains(places) ? nil : places
  }
}

extension Vector {
  /// Reads Decimals that are one for a whole cluster as an integer with a number of decimal places.
  func load(wholes view: ColumnView, exponent: Int) throws {
    guard case .same(let value) = view.values, let whole = value.isNull ? 0 : value.exact?.integer(places: exponent)
    else { throw StoreError.corrupted(location: "a column of a table that is not what it was") }
    fill(.int(whole))
    nulls |= view.nulls
  }
}
