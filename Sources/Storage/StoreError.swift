public import Values

/// Why the store could not do what was asked. Every failure of a store is one of these; none ends the process.
///
/// It does not know predicates or statements: what is wrong with a text is a `DiagnosticError`.
public enum StoreError: Error, Hashable, Sendable {
  /// Somebody else was at work on the store for longer than the time allowed: that writer, where it is known.
  case busy(by: StoreWriter?)
  /// Who asked for it gave it up, by a `Cancellation`. Nothing was changed.
  case cancelled
  /// The disk, or the address space reserved for the store, is full. The last commit is intact.
  case full(path: String)
  /// A write to a store that was opened for reading, or that lies on read-only media.
  case readOnly(path: String)
  /// There is no store at that path.
  case notFound(path: String)
  /// What is at that path is something else.
  case notAStore(path: String, reason: String)
  /// The system refuses access.
  case permissionDenied(path: String)
  /// The file was written by a later version of this software.
  case newerFormat(path: String, found: Int, known: Int)
  /// Stored bytes are damaged, or are not what was written.
  case corrupted(location: String)
  /// Objects have the same value of a unique property or combination of properties.
  case constraintViolated(UniquenessViolation)
  /// An object was not deleted: others are at the end of a property of it whose delete rule is `deny`, and would stay.
  case deleteDenied(DeniedDelete)
  /// A link leads to an object that does not exist when the write ends. Nothing was written.
  case danglingLink(entity: String, object: ObjectNumber, path: String, target: String, missing: ObjectNumber)
  /// The declared models do not fit the file; one sentence for each difference that needs a decision.
  case migrationNeeded([String])
  /// The store has no entity of that name; `suggestion` is one with a similar name.
  case unknownEntity(String, suggestion: String?)
  /// The entity has no property at that path; `suggestion` is one with a similar name.
  case unknownProperty(entity: String, path: String, suggestion: String?)
  /// A value of the wrong type for its property.
  case wrongType(entity: String, path: String, expected: String, got: String)
  /// A stored value that the Swift type of its property does not have, such as a raw value of no case of an enum. The
  /// object is nil where the value is of several, such as their largest.
  case unreadableValue(entity: String, path: String, object: ObjectNumber?, type: String, value: Value)
  /// nil, or nothing, for a property that needs a value.
  case missingValue(entity: String, path: String)
  /// A new object lacks values of properties that the file has and the model (or schema text) that it was written by does
  /// not: they are not optional and have no default.
  case unseenProperties(entity: String, paths: [String])
  /// There is no object of that number, or no longer.
  case unknownObject(entity: String, ObjectNumber)
  /// Every reader slot of the file is taken.
  case readersFull(path: String)
  /// The store was opened before `fork` and is used after it, in the child.
  case forked(path: String)
  /// A write inside a write.
  case nestedWrite
  /// A transaction, or something that lives in one, was used after its end.
  case finished
  /// The store that a link was read from is not held by anybody any more.
  case closed
  /// A value that was read from a store, or added to one, was to be added once more.
  case alreadyStored(entity: String, ObjectNumber)
  /// A value that was never read from a store, nor added to one, was to be changed or deleted there.
  case notStored(entity: String)
  /// An object was changed by others since it was read, in these properties; or it may have been, where too much
  /// happened since to know.
  case changedSince(ObjectReference, properties: [String])
  /// The store was opened without a model of that name, and its file has no such entity.
  case modelNotOpened(String, suggestion: String?)
  /// The system reports an error in reading or writing.
  case io(path: String, reason: String)
  /// Something this version cannot do.
  case unsupported(String)
}
