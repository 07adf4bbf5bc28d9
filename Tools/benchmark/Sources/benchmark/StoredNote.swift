import ObjectStoreCore

/// A model that nothing asks for, to be written while others are watched. Its conformance is what `@Model` writes, by
/// hand.
struct StoredNote: Model {
  var size = 0
  var objectIdentity = ObjectIdentity<StoredNote>()

  var objectID: ObjectID<StoredNote>? {
    get { objectIdentity.id }
    set { objectIdentity.id = newValue }
  }

  init() {}

  static let modelDefinition = ModelDefinition(of: StoredNote.self, name: "Note") { model in
    model.property("size", \StoredNote.size, \StoredNote?.?.size)
  }

  init(from row: inout RowDecoder) throws { size = try row.next() }

  func encode(into row: inout RowEncoder) { size.encode(into: &row) }
}
