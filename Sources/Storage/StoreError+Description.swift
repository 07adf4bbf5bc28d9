import Values

extension StoreError: CustomStringConvertible {
  /// A description of the error, with advice.
  public var description: String {
    switch self {
    case .busy(let writer):
      "the store is being written to by \(writer.map(\.description) ?? "someone else"); try again, or allow more time"
    case .cancelled:
      "the operation was cancelled; nothing was changed"
    case .full(let path):
      "no room left to write to the store at '\(path)'; free some space and try again (the last commit is intact)"
    case .readOnly(let path):
      "the store at '\(path)' can only be read; open it for writing, or use a copy on writable media"
    case .notFound(let path):
      "there is no store at '\(path)'"
    case .notAStore(let path, let reason):
      "'\(path)' is not a store: \(reason)"
    case .locksApart(let path, let reason):
      "the store at '\(path)' may be written by others who do not see its locks, and writes would get lost: \(reason)"
    case .permissionDenied(let path):
      "no permission to use '\(path)'; check its owner and mode"
    case .newerFormat(let path, let found, let known):
      "the store at '\(path)' has format \(found), this version reads up to \(known); use a newer version"
    case .unknownFeature(let path, let feature):
      "the store at '\(path)' has the feature '\(feature)', which this version does not know; use a newer version"
    case .corrupted(let location):
      "the store is damaged: \(location); restore a copy, or save what can still be read: objquery salvage, Store.salvage"
    case .indexesDamaged(let names):
      "of the store only indexes are damaged (\(names.joined(separator: ", "))), the objects are intact; build them anew, "
        + "and try again: objquery reindex, Store.reindex"
    case .constraintViolated(let violation):
      violation.duplicates + (violation.objects.count == 1 ? "; the object was not added" : "; nothing was written")
        + (violation.isDeclared
          ? ""
          : "; the models do not say that \(violation.path) is unique, the file does: open it with "
            + "removing: [\"@unique \(violation.entity).\(violation.path)\"] to allow this")
    case .deleteDenied(let denied):
      denied.description
    case .danglingLink(let entity, let object, let path, let target, let missing):
      "\(entity).\(path) of number \(object.rawValue) leads to \(target) number \(missing.target), which does not "
        + "exist; insert it in the same write, or leave the link out; nothing was written"
    case .migrationNeeded(let differences):
      "the models do not fit the store:"
        + (differences.count == 1 ? " " : "\n  ") + differences.joined(separator: "\n  ")
    case .unknownEntity(let name, let suggestion):
      "the store has no entity '\(name)'\(Self.hint(suggestion))"
    case .unknownProperty(let entity, let path, let suggestion):
      "\(entity) has no property '\(path)'\(Self.hint(suggestion))"
    case .wrongType(let entity, let path, let expected, let got):
      "\(entity).\(path) takes \(expected), not \(got)"
    case .unreadableValue(let entity, let path, let object, let type, let value):
      "\(entity).\(path)\(object.map { " of number \($0.rawValue)" } ?? "") is \(value.brief), which is not a value of \(type); let "
        + "the type have that value, or give the object another one"
    case .missingValue(let entity, let path):
      "\(entity).\(path) needs a value: it is not optional"
    case .unseenProperties(let entity, let paths):
      "a new \(entity) needs a value of \(paths.map { "'\($0)'" }.joined(separator: ", ")), which the file has and the "
        + "model lacks: declare it in the model; or give it a default, or make it optional, where it is declared; or, if "
        + "it may go with its values, say removing: [\(paths.map { "\"\(entity).\($0)\"" }.joined(separator: ", "))] "
        + "(objquery drop STORE \(paths.map { "\(entity).\($0)" }.joined(separator: " ")))"
    case .unknownObject(let entity, let number):
      "there is no \(entity) number \(number.rawValue); it may have been deleted"
    case .readersFull(let path):
      "too many readers use the store at '\(path)' at once; end some, and end read transactions soon"
    case .forked(let path):
      "the store at '\(path)' was opened before fork; open it again in the child process"
    case .nestedWrite:
      "a write inside a write of the same store; use the transaction that is given to the outer one"
    case .finished:
      "the transaction has ended; it and what was read through it can no longer be used"
    case .closed:
      "the store that the link was read from is closed: keep the store for as long as links are followed"
    case .alreadyStored(let entity, let number):
      "this \(entity) is in a store already, as number \(number.rawValue): use 'update' to change it, 'upsert' to replace "
        + "it by its unique property, or set its 'objectID' to nil to add a copy"
    case .notStored(let entity):
      "this \(entity) is not in a store: 'add' it first, or use one that was read from the store or its 'objectID'"
    case .changedSince(let object, let properties):
      "\(object.entity) number \(object.number.rawValue) was changed by another writer since it was read, in "
        + "\(properties.map { "'\($0)'" }.joined(separator: ", ")), or was read too long ago to tell; nothing was saved: read it "
        + "again and repeat the change"
    case .modelNotOpened(let name, let suggestion):
      "the store was opened without the model '\(name)'\(Self.hint(suggestion)); name '\(name).self' among the models "
        + "when you open it"
    case .io(let path, let reason):
      "reading or writing '\(path)' failed: \(reason)"
    case .limitExceeded(let excess):
      excess.description
    case .unsupported(let what):
      what
    }
  }

  private static func hint(_ suggestion: String?) -> String {
    suggestion.map { "; did you mean '\($0)'?" } ?? ""
  }
}

extension UniquenessViolation {
  /// Which objects have which value, as a clause.
  var duplicates: String {
    if objects.count == 1, let holder = objects.first {
      return "\(entity) number \(holder.rawValue) already has \(path) \(value.brief)"
    }
    return "\(count) objects of \(entity) have \(path) \(value.brief)\(list)"
  }

  private var count: String { objects.count > 2 ? String(objects.count) : "two" }

  /// The first of many IDs: an update of all objects to one value could list a million.
  private var list: String {
    if objects.isEmpty { return "" }
    let first = objects.prefix(5).map { String($0.rawValue) }.joined(separator: ", ")
    return " (numbers \(first)\(objects.count > 5 ? " and \(objects.count - 5) more" : ""))"
  }
}

extension Value {
  /// The value in a sentence, truncated if long.
  var brief: String {
    switch self {
    case .null: "nil"
    case .bool(let value): value ? "TRUE" : "FALSE"
    case .int(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .string(let value): value.utf8.count > 80 ? "\"\(value.prefix(60))…\"" : "\"\(value)\""
    case .date(let value): ISO8601.text(value)
    case .uuid(let value): "\(value)"
    case .data(let value): "of \(value.count) bytes"
    case .list(let values): "(\(values.map(\.brief).joined(separator: ", ")))"
    case .embedded: "of that struct"
    case .object(let value): "object \(value.number.rawValue) of \(value.entity)"
    }
  }
}
