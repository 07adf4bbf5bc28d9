import ObjectStoreCore

/// The link targets of a row, before the objects are found. It knows neither the row's values nor the store.
/// store.
struct LinkedRow {
  /// The targets of one link or of a list of links.
  struct Link {
    var column: Int
    var ends: [LinkReading.End]

    /// Whether there is a nested object.
    var hasObjects: Bool { ends.contains { if case .object = $0 { true } else { false } } }
  }

  enum Content {
    /// Unique values only, with the given columns, possibly with duplicates.
    case keys([Link], given: [Int])
    /// The row with the objects within.
    case row(NewRow)
  }

  /// The number that the object has in the data.
  var identity: ObjectNumber?
  var content: Content

  /// Completes a row with the numbers of its link targets if all of them exist: this is a fast path, as most links are
  /// like that. Returns false otherwise.
  ///
  /// - Parameter keys: For each column of links, how objects are found.
  func complete(_ row: UnsafeMutableBufferPointer<Value>, by keys: [LinkKeys?], _ columns: [Column]) throws -> Bool {
    guard case .keys(let links, _) = content else { return false }
    func number(_ end: LinkReading.End, _ keys: LinkKeys) throws -> Value? {
      guard case .key(let value) = end else { return nil }
      return try keys.number(with: value).map { .int(Int64(bitPattern: $0.rawValue)) }
    }
    for link in links {
      guard let keys = keys[link.column] else { return false }
      if case .links = columns[link.column].kind {
        var numbers: [Value] = []
        numbers.reserveCapacity(link.ends.count)
        for end in link.ends {
          guard let number = try number(end, keys) else { return false }
          numbers.append(number)
        }
        row[link.column] = .list(numbers)
      } else {
        guard link.ends.count == 1, let end = link.ends.first, let number = try number(end, keys) else { return false }
        row[link.column] = number
      }
    }
    return true
  }

  /// The row with these values.
  func row(_ values: UnsafeMutableBufferPointer<Value>, of entity: String) -> NewRow {
    switch content {
    case .row(let row): return row
    case .keys(let links, let given):
      var row = NewRow(entity: entity, values: Array(values), given: Set(given))
      for link in links {
        let targets = link.ends.compactMap { end -> LinkTarget? in
          if case .key(let value) = end { .key(value) } else { nil }
        }
        row.links.append(NewRow.Link(column: link.column, targets: targets))
      }
      return row
    }
  }
}
