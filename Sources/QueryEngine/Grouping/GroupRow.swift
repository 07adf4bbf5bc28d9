internal import Values

/// A group as expressions see it: the values of its keys, then those of its aggregates.
struct GroupRow: RowValues {
  let groups: FoundGroups
  /// The position of the group.
  let group: Int
  /// Reads the objects that keys are.
  let linked: LinkedObjects?

  var cancellation: CancellationCheck? { linked?.sets.cancellation }

  /// A group has no columns.
  func value(_ column: Int) -> Value { .null }

  func computed(_ position: Int) -> Value { groups.value(group, position) }
}
