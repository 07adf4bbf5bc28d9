import ObjectStoreCore

/// A model with properties that are not stored, and a property observer: what `@Model` writes, by hand.
struct Draft: Model {
  var title: String
  var body: String { didSet { if countsRevisions { revision += 1 } } }
  var revision = 0
  var status = Status.open
  /// Not stored.
  var selection = 0
  /// Not stored.
  var countsRevisions = false
  private var _objectID = ObjectIdentity<Draft>()

  init(title: String, body: String) {
    self.title = title
    self.body = body
  }

  static let modelDefinition = ModelDefinition(of: Draft.self, name: "Draft") { model in
    model.property("title", \Draft.title, \Draft?.?.title)
    model.property("body", \Draft.body, \Draft?.?.body)
    model.property("revision", \Draft.revision, \Draft?.?.revision)
    model.property("status", \Draft.status, \Draft?.?.status)
  }

  var objectID: ObjectID<Draft>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  var objectIdentity: ObjectIdentity<Draft> {
    get { _objectID }
    set { _objectID = newValue }
  }

  init(from row: inout RowDecoder) throws {
    title = try row.next()
    body = try row.next()
    revision = try row.next()
    status = try row.next()
  }

  func encode(into row: inout RowEncoder) {
    title.encode(into: &row)
    body.encode(into: &row)
    revision.encode(into: &row)
    status.encode(into: &row)
  }
}
