package import Storage
package import Values

extension CompiledRows {
  /// The columns that decide which section an object is in; nil without sections.
  package var sectionReads: QueryReads? {
    objects.rows.section.map { QueryReads($0.key, of: objects.entity) }
  }

  /// Some objects by section. The objects must exist and be ascending, and the query must not exclude any.
  package func sections(
    of objects: [ObjectNumber], in snapshot: Snapshot
  ) throws -> [(key: Value, objects: [ObjectNumber])] {
    var options = PlannerOptions()
    options.given = objects
    options.namesRejected = false
    let found = try plan(in: snapshot, options: options).found(in: snapshot)
    return try found.sections().map { ($0.key, found.objects($0.rows)) }
  }
}
