internal import Storage
internal import Values

// Writing back a value that was read, however long ago: what it changes is found out, and what others changed since stays.

extension WriteTransaction {
  /// Writes to the store what was changed in `object` since it was read; adds it when it is new.
  ///
  /// ```swift
  /// guard var quake = try store.object(id) else { return }
  /// quake.felt = 3
  /// try store.write { tx in try tx.save(&quake) }
  /// ```
  ///
  /// Only properties that differ from what was read are written: of two who change different properties of one object, each
  /// in a copy of its own, both keep their change. Of two who change the same property the one who saves later wins, unless
  /// `ifUnchanged` says otherwise. An array of structs and an optional struct are one property each. Afterwards `object` has
  /// its `objectID`, and counts as read just now; what others changed meanwhile it shows when it is read again.
  ///
  /// A value whose `objectID` was set by hand was not read: all that differs is written. What is read or saved in a write that
  /// throws never was in the store, and is not to be saved.
  ///
  /// - Parameters:
  ///   - object: The value; it has its `objectID` afterwards.
  ///   - ifUnchanged: Whether to throw when others changed the object since it was read.
  /// - Throws: as `add`; `StoreError`: `changedSince` with the properties, also without `ifUnchanged` for a
  ///   `.codable` property that others changed since and that is not as it was read, and where the object differs
  ///   from what is stored and may have been changed by others, but so much was written since that nobody knows: a commit that
  ///   changed more than 4,096 values, or the schema, or some megabytes of small ones. `unknownObject` when it was deleted.
  ///   Then nothing was changed, and the transaction can go on.
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
  /// Writes to the store what was changed in `object` since it was read, or adds it, in a transaction of its own. See
  /// `WriteTransaction.save(_:ifUnchanged:)`.
  ///
  /// ```swift
  /// quake.felt = 3
  /// try store.save(&quake)
  /// ```
  ///
  /// - Throws: as `write` and `WriteTransaction.save(_:ifUnchanged:)`; then nothing was written.
  public func save<Object: Model>(_ object: inout Object, ifUnchanged: Bool = false) throws {
    let given = object
    object = try write { tx in
      var saved = given
      try tx.save(&saved, ifUnchanged: ifUnchanged)
      return saved
    }
  }

  /// Saves an object, in a transaction of its own, without blocking the task's thread.
  public func save<Object: Model>(_ object: inout Object, ifUnchanged: Bool = false) async throws {
    let given = object
    object = try await write { tx in
      var saved = given
      try tx.save(&saved, ifUnchanged: ifUnchanged)
      return saved
    }
  }
}

/// Decides for each property of an object that is saved whose value counts: that of who saves, or the stored one.
///
/// It knows what the columns had when the object was read by digests only.
private struct SaveMerge {
  private let layout: ModelLayout
  private let row: [Value]
  /// What is to be stored.
  private(set) var values: [Value]
  /// The columns that were changed since, with what they had; nil where that is not known.
  private let before: [UInt32: UInt64]?

  init(of layout: ModelLayout, _ row: [Value], _ values: [Value], before: [UInt32: UInt64]?) {
    self.layout = layout
    self.row = row
    self.values = values
    self.before = before
  }

  /// Puts in the stored values where only others changed them. The properties because of which it can't be saved.
  ///
  /// - Parameter writingUnread: Whether the object was not read, so that all that differs counts as changed.
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
          // Encoded by others, a value may have another digest without being changed here.
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
