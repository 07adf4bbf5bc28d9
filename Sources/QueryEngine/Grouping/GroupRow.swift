internal import Values

/// A group as expressions see it: the values of its keys, then those of its aggregates.
struct GroupRow: RowValues {
  let values: [Value]
  /// What reads the objects that keys are.
  let linked: LinkedObjects?

  /// A group has no columns.
  func value(_ column: Int) -> Value { .null }

  func computed(_ position: Int) -> Value { values.indices.contains(position) ? values[position] : .null }
}

extension CompiledRows.Grouping {
  /// What HAVING, SORT BY, DISTINCT, OFFSET and LIMIT leave of groups, in that order.
  func chosen(from groups: [[Value]], _ linked: LinkedObjects) throws -> [[Value]] {
    func row(_ group: [Value]) -> GroupRow { GroupRow(values: group, linked: linked) }
    var groups = groups
    if let having { groups = try groups.filter { try having.holds(for: row($0)) } }
    if !order.isEmpty {
      let keys = try groups.map { group in try order.map { try $0.expression.value(in: row(group)) } }
      let places = groups.indices.sorted { left, right in
        for (position, key) in order.enumerated() {
          let result = SortOrder.compare(keys[left][position], keys[right][position])
          if result != 0 { return key.ascending ? result < 0 : result > 0 }
        }
        return left < right
      }
      groups = places.map { groups[$0] }
    }
    if !distinct.isEmpty {
      var seen: Set<[Value]> = []
      groups = try groups.filter { group in
        seen.insert(try distinct.map { DistinctKey.of(try $0.value(in: row(group))) }).inserted
      }
    }
    return Array(groups.dropFirst(offset).prefix(limit ?? .max))
  }
}
