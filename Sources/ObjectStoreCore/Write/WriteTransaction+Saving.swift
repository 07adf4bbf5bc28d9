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
  /// `object` has its `objectID`, and is as if just read: it shows what others changed too, so that saving it again
  /// keeps that. Its `@Transient` properties keep their values; only if setting the changed properties changes further
  /// stored ones, in a `didSet`, or if they are `let`, the whole value is read again, with new `@Transient` properties.
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
  ///   it was deleted; `unreadableValue` when others stored a value that the model cannot read. Nothing is changed, and
  ///   the transaction can continue.
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
    let merged = try encoding(object) { values -> Merged<Object>? in
      // New objects that it links to were added: the row is read after that.
      guard let row = try session.row(id.number, of: layout.entity) else {
        throw StoreError.unknownObject(entity: layout.entity.name, id.number)
      }
      var before: [UInt32: UInt64]?
      if let moment = identity.moment { before = try session.digests(of: id.number, layout.entity, at: moment) }
      var merge = SaveMerge(of: layout, row, values, before: before)
      let isUnread = identity.moment == nil
      let changed = merge.merge(ifUnchanged: ifUnchanged, writingUnread: isUnread)
      guard changed.isEmpty else {
        throw StoreError.changedSince(
          ObjectReference(entity: layout.entity.name, number: id.number), properties: changed)
      }
      let changes = try layout.changes(from: row, to: merge.values)
      let merged = try read(row, changes, keeping: merge.kept, of: Object.self, id.number, by: layout)
      if !changes.isEmpty { try session.update(id.number, of: layout.entity, changes) }
      return merged
    }
    if let merged { try take(merged, into: &object) }
    object.objectIdentity = ObjectIdentity(id.number, readAt: session.moment)
  }

  /// A saved object as it is stored then, and the paths of the properties that others changed.
  private struct Merged<Object: Model> {
    let object: Object
    let paths: [String]
  }

  /// Reads what a row will be after some changes; nil when nothing was kept from others. It is read before the changes
  /// are written, since reading may fail.
  private func read<Object: Model>(
    _ row: [Value], _ changes: [(column: Int, value: Value)], keeping paths: [String], of model: Object.Type,
    _ number: ObjectNumber, by layout: ModelLayout
  ) throws -> Merged<Object>? {
    if paths.isEmpty { return nil }
    var row = row
    for change in changes { row[change.column] = change.value }
    var decoder = RowDecoder(
      layout.values(in: row), definition: layout.definition,
      origin: RowOrigin(store: scope.store.reference, number: number))
    return Merged(object: try Object.decode(from: &decoder), paths: paths)
  }

  /// Sets the properties of an object that others changed, so that all that is not stored stays.
  private func take<Object: Model>(_ merged: Merged<Object>, into object: inout Object) throws {
    let other = merged.object
    object.set(merged.paths, from: other)
    // Property observers may have set other properties, which would be written by the next save as changes.
    let stored = try encoding(other) { values -> [Value] in values }
    let isSame = try encoding(object) { values -> Bool in
      values.count == stored.count && zip(values, stored).allSatisfy { $0.isIdentical(to: $1) }
    }
    if !isSame { object = other }
  }
}

extension Model {
  /// Sets the properties at some dotted paths, each as a whole, to those of another value, where they can be set.
  fileprivate mutating func set(_ paths: [String], from other: Self) {
    for (name, keyPath) in Self.modelDefinition.keyPaths.stored
    where paths.contains(where: { $0 == name || $0.hasPrefix(name + ".") }) {
      // Either conformance gives the type a name.
      let type: Any.Type = Swift.type(of: keyPath).valueType
      if let type = type as? any PropertyValue.Type {
        type.setProperty(keyPath, of: &self, from: other)
      } else if let type = type as? any Hashable.Type {
        type.setEncodedProperty(keyPath, of: &self, from: other)
      }
    }
  }
}

extension PropertyValue {
  fileprivate static func setProperty<Root>(_ keyPath: AnyKeyPath, of root: inout Root, from other: Root) {
    if let keyPath = keyPath as? WritableKeyPath<Root, Self> { root[keyPath: keyPath] = other[keyPath: keyPath] }
  }
}

extension Hashable {
  fileprivate static func setEncodedProperty<Root>(_ keyPath: AnyKeyPath, of root: inout Root, from other: Root) {
    if let keyPath = keyPath as? WritableKeyPath<Root, Self> { root[keyPath: keyPath] = other[keyPath: keyPath] }
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
  ///
  /// - Throws: The errors of the synchronous form; `CancellationError` when the task was cancelled before its turn.
  ///   `object` is unchanged then.
  public func save<Object: Model>(_ object: inout Object, ifUnchanged: Bool = false) async throws {
    let given = object
    object = try await write { tx in
      var saved = given
      try tx.save(&saved, ifUnchanged: ifUnchanged)
      return saved
    }
  }
}
