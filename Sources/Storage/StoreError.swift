public import Values

/// An error of a store. Every failure of a store is one of these; none ends the process.
///
/// It does not cover predicates or statements: an error in a text is a `DiagnosticError`.
public enum StoreError: Error, Hashable, Sendable {
  /// Another writer used the store for longer than the allowed time; includes that writer, if known.
  case busy(by: StoreWriter?)
  /// The caller cancelled the operation with a `Cancellation`. Nothing was changed.
  case cancelled
  /// The disk, or the address space reserved for the store, is full. The last commit is intact.
  case full(path: String)
  /// A write to a store that was opened for reading, or that is on read-only media.
  case readOnly(path: String)
  /// There is no store at that path.
  case notFound(path: String)
  /// The path contains something other than a store.
  case notAStore(path: String, reason: String)
  /// Another process may use the same file with locks of its own, so that writes would get lost: the file has several
  /// names, or its lock file was replaced while in use. Nothing was written.
  case locksApart(path: String, reason: String)
  /// The system refuses access.
  case permissionDenied(path: String)
  /// The file was written by a later version of this software.
  case newerFormat(path: String, found: Int, known: Int)
  /// The file has a feature that this version of the software does not know.
  case unknownFeature(path: String, String)
  /// Stored bytes are damaged, or are not the written ones.
  case corrupted(location: String)
  /// Only indexes are damaged, all objects are intact: `reindex` builds them anew. They are named as it takes them.
  case indexesDamaged([String])
  /// Objects have the same value of a unique property or combination of properties.
  case constraintViolated(UniquenessViolation)
  /// An object was not deleted: others are at the end of a property of it whose delete rule is `deny`, and would stay.
  case deleteDenied(DeniedDelete)
  /// A link leads to an object that does not exist when the write ends. Nothing was written.
  case danglingLink(entity: String, object: ObjectNumber, path: String, target: String, missing: ObjectNumber)
  /// The declared models do not match the file; one sentence for each difference that needs a decision.
  case migrationNeeded([String])
  /// The store has no entity with that name; `suggestion` is one with a similar name.
  case unknownEntity(String, suggestion: String?)
  /// The entity has no property at that path; `suggestion` is one with a similar name.
  case unknownProperty(entity: String, path: String, suggestion: String?)
  /// A value of the wrong type for its property.
  case wrongType(entity: String, path: String, expected: String, got: String)
  /// A stored value that the Swift type of its property cannot represent, such as a raw value without a case in an
  /// enum. The object is nil if the value belongs to several, such as their maximum.
  case unreadableValue(entity: String, path: String, object: ObjectNumber?, type: String, value: Value)
  /// nil, or no value, for a property that requires one.
  case missingValue(entity: String, path: String)
  /// A new object lacks values of properties that the file has but not the model (or schema text) it was written with:
  /// they are not optional and have no default.
  case unseenProperties(entity: String, paths: [String])
  /// There is no object with that ID, or no longer.
  case unknownObject(entity: String, ObjectNumber)
  /// All reader slots of the file are in use.
  case readersFull(path: String)
  /// The store was opened before `fork` and is used after it, in the child.
  case forked(path: String)
  /// A write inside a write.
  case nestedWrite
  /// A transaction, or an object that depends on one, was used after its end.
  case finished
  /// The store that a link was read from has been released.
  case closed
  /// A value that was read from a store, or added to one, was added again.
  case alreadyStored(entity: String, ObjectNumber)
  /// A value that was neither read from a store nor added to one was changed or deleted there.
  case notStored(entity: String)
  /// An object was changed by others since it was read, in these properties; or it may have been, if too many changes
  /// were made since then to know.
  case changedSince(ObjectReference, properties: [String])
  /// The store was opened without a model of that name, and its file has no such entity.
  case modelNotOpened(String, suggestion: String?)
  /// The system reports an error in reading or writing.
  case io(path: String, reason: String)
  /// A limit that the store was opened with. What exceeded it changed nothing.
  case limitExceeded(LimitExceeded)
  /// Something this version cannot do.
  case unsupported(String)
}
