import ObjectStoreCore

/// The requests about the store.
extension StatementServer {
  func open(_ parameters: RequestParameters) throws -> String {
    let path = try parameters.text("path")
    let creates = try parameters.flag("create") ?? false
    let readOnly = try parameters.flag("readonly") ?? false
    if options.isSafe, path != nil {
      throw CommandFailure(description: "no other store is opened with --safe", code: "not-safe")
    }
    if creates, readOnly || options.isReadOnly {
      throw ResponseError(.invalidParameters, "a store that is only read is not created")
    }
    try session.open(path, create: creates, readOnly: readOnly || options.isReadOnly || options.isSafe)
    leaveStore()
    return try info()
  }

  /// Ends what belongs to the store before.
  private func leaveStore() {
    watches.endAll(telling: true)
    cursors.closeAll(.closed)
    session.statements.definitions = [:]
  }

  func close(_ parameters: RequestParameters) throws -> String {
    if let name = try parameters.text("cursor") {
      _ = try cursors.use(name)
      cursors.close(name, .closed)
      return "null"
    }
    try session.open(nil, readOnly: false)
    leaveStore()
    return "null"
  }

  func info() throws -> String {
    var members = JSONMembers()
    members.add("version", .string(version))
    members.add("store", session.storePath.map { .string($0) } ?? .null)
    members.add("readonly", .bool(session.isReadOnly))
    let entities = try session.store.schema.entities.map { entity in
      var members = JSONMembers()
      members.add("name", .string(entity.name))
      members.add("objects", .int(Int64(try session.objects(of: entity.name).count)))
      return members.object
    }
    members.add("entities", raw: "[\(entities.joined(separator: ","))]")
    if !session.openingNotes.isEmpty { members.add("notes", .list(session.openingNotes.map { .string($0) })) }
    var capabilities = JSONMembers()
    capabilities.add("methods", .list(ServedMethod.allCases.map { .string($0.rawValue) }))
    capabilities.add("notifications", .list(Watches.Notification.allCases.map { .string($0.rawValue) }))
    capabilities.add("pageSize", .int(Int64(ServeOptions.mostRows)))
    capabilities.add("cursors", .int(Int64(OpenCursors.most)))
    capabilities.add("cursorSeconds", .int(options.lease.unused.components.seconds))
    capabilities.add("watches", .int(Int64(Watches.most)))
    capabilities.add("requests", .int(Int64(OutstandingRequests.most)))
    capabilities.add("lineBytes", .int(Int64(MessageReader.mostBytes)))
    members.add("capabilities", raw: capabilities.object)
    return members.object
  }

  func schema(of entity: String?) throws -> String {
    var members = JSONMembers()
    members.add("swift", .string(try session.schemaText(of: entity, asJSON: false)))
    members.add("json", raw: try session.schemaText(of: entity, asJSON: true))
    return members.object
  }

  func describe(_ entity: String?) throws -> String {
    session.defaultEntity = nil
    let table = try session.description(of: entity, forPrograms: true)
    let columns = table.columns.map { ResultColumn(heading: $0.name, content: .value) }
    let encoder = JSONObjectEncoder(OutputShape(columns: columns))
    var members = JSONMembers()
    members.add("properties", raw: "[\(table.rows.map(encoder.text).joined(separator: ","))]")
    return members.object
  }
}
