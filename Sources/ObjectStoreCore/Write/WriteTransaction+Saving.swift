internal import Storage
internal import Values

// Writes back a value that was read at any earlier time: determines what it changes, and keeps what others changed
// since.

extension WriteTransaction {
  /// Writes the changes made to `object` since it was read to the store; adds it when it is new.
  ///
  /// ```swift
  /// guard var quake = try store.object(id) else { return }
  /// quake.felt = 3
  /// try store.write { tx in try tx.save(&quake) }
  /// ```
  ///
  /// Only properties that differ from the values read are written. If two programs change different properties of one
  /// object, each in its own copy, both changes are kept. If both change the same property, the later save wins, unless
  /// `ifUnchanged` says otherwise. An array of structs and an optional struct count as one property each. Afterwards
  /// `object` has its `objectID`, and counts as just read; it shows the changes of others only when it is read again.
  ///
  /// A value whose `objectID` was set by hand was not read, so all differences are written. A value that was read or
  /// saved in a write that throws never existed in the store and must not be saved.
  ///
  /// - Parameters:
  ///   - object: The value; it has its `objectID` afterwards.
  ///   - ifUnchanged: Whether to throw when others changed the object since it was read.
  /// - Throws: The errors of `add`; `StoreError`: `changedSince`, with the properties. This is also thrown without
  ///   `ifUnchanged` for a `.codable` property that others changed and that differs from the value read, and when the
  ///   object differs from the stored one and so much was written since that it is unknown whether others changed it: a
  ///   commit that changed more than 4,096 values, or the schema, or some megabytes of small ones. `unknownObject` when
  ///   it was deleted. Nothing is changed, and the transaction can continue.
  public func save<Object: Model>(_ object: inout Object, ifUnchanged: Bool = false) throws {
    let session = try session
    let identity = object.objectIdentity
    guard let id = identity.id else {
      let added = try add(object)
      object.objectIdentity = ObjectIdentity(added.number, readAt: session.moment)
      return
    }
    let layout = try layout(Object.modelDefinition)
    guard try session.row(id.number, of: layout.entity) != nil else {
      throw StoreError.unknownObject(entity: layout.entity.name, id.number)
    }
    try encoding(object) { values throws(StoreError) in
      // New objects that it links to were added: the row is read after that.
      guard let row = try session.row(id.number, of: layout.entity) else {
        throw .unknownObject(entity: layout.entity.name, id.number)
      }
      var before: [UInt32: UInt64]?
      if let moment = identity.moment { before = try session.digests(of: id.number, layout.entity, at: moment) }
      var merge = SaveMerge(of: layout, row, values, before: before)
      let isUnread = identity.moment == nil
      let changed = merge.merge(ifUnchanged: ifUnchanged, writingUnread: isUnread)
      guard changed.isEmpty else {
        throw .changedSince(
          ObjectReference(entity: layout.entity.name, number: id.number), properties: changed)
      }
      try change(id.number, to: merge.values, by: layout, in: session)
    }
    object.objectIdentity = ObjectIdentity(id.number, readAt: session.moment)
  }
}

extension Store {
  /// Writes the changes made to `object` since it was read, or adds it, in its own transaction. See
  /// `WriteTransaction.save(_:ifUnchanged:)`.
  ///
  /// ```swift
  /// quake.felt = 3
  /// try store.save(&quake)
  /// ```
  ///
  /// - Throws: The errors of `write` and `WriteTransaction.save(_:ifUnchanged:)`; nothing is written.
  public func save<Object: Model>(_ object: inout Object, ifUnchanged: Bool = false) throws {
    let given = object
    object = try write { tx in
      var saved = given
      try tx.save(&saved, ifUnchanged: ifUnchanged)
      return saved
    }
  }

  /// Saves an object in its own transaction, without blocking the task's thread.
  public func save<Object: Model>(_ object: inout Object, ifUnchanged: Bool = false) async throws {
    let given = object
    object = try await write { tx in
      var saved = given
      try tx.save(&saved, ifUnchanged: ifUnchanged)
      return saved
    }
  }
}

/// Decides for each property of a saved object whether the saved or the stored value is kept.
///
/// It knows the values at the time of the read only by digests.
private struct SaveMerge {
  private let layout: ModelLayout
  private let row: [Value]
  /// The values to store.
  private(set) var values: [Value]
  /// The columns changed since, with digests of their earlier values; nil when not known.
  private let before: [UInt32: UInt64]?

  init(of layout: ModelLayout, _ row: [Value], _ values: [Value], before: [UInt32: UInt64]?) {
    self.layout = layout
    self.row = row
    self.values = values
    self.before = before
  }

  /// Replaces values by the stored ones where only others changed them. Returns the properties that prevent saving.
  ///
  /// - Parameter writingUnread: Whether the object was not read, so that all differences count as changes.
  mutating func merge(ifUnchanged: Bool, writingUnread: Bool) -> [String] {
    var refused: [String] = []
    let written = layout.keepingEncoded(row, in: values)
    for (path, columns) in layout.properties {
      let stored = columns.compactMap { column in
        layout.positions[column].map { position in (column: column, position: position) }
      }
      guard let before else {
        let differs = stored.contains { !row[$0.position].isIdentical(to: written[$0.column]) }
        if differs, ifUnchanged || !writingUnread { refused.append(path) }
        continue
      }
      var (isOwn, isOfOthers, isInDoubt) = (false, false, false)
      for (column, position) in stored {
        if let old = before[layout.entity.columns[position].number] {
          let (isChanged, isOwnChange) = (old != row[position].digest, old != values[column].digest)
          if isChanged { isOfOthers = true }
          if isOwnChange { isOwn = true }
          // A value encoded by others may have a different digest without being changed here.
          if isChanged, isOwnChange, layout.definition.encoded[column] != nil { isInDoubt = true }
        } else if !row[position].isIdentical(to: written[column]) {
          isOwn = true
        }
      }
      if isOfOthers && ifUnchanged || isInDoubt { refused.append(path) }
      if isOfOthers, !isOwn { for (column, position) in stored { values[column] = row[position] } }
    }
    return refused
  }
}
