import ObjectStoreCore

/// The objects of an entity stored by an interrupted import: complete transactions stay, the current one does not.
struct ImportProgress {
  /// The entity in the store.
  enum Standing: Hashable {
    case absent
    /// The entity is new and was created.
    case made
    /// It was there before.
    case there
  }

  let entity: String
  var standing = Standing.absent
  /// The number of records of the data that became objects, or parts of objects.
  var count = 0
  /// Whether several of these records may be the same object.
  var isUpsert = false
  /// Whether all data was read.
  var isBrought = false
  /// Whether links to later objects are still to be set.
  var hasOpenLinks = false

  /// Describes the progress of several entities, and of the indexes to be added to existing entities.
  static func told(_ all: [ImportProgress], _ indexes: AddedIndexes?) -> String {
    var told = all.filter { $0.count > 0 }.map(\.told)
    for standing in [Standing.absent, .made, .there] {
      let names = all.filter { $0.count == 0 && $0.standing == standing }.map(\.entity)
      if !names.isEmpty { told.append(nothing(of: names, standing)) }
    }
    return (told + (indexes?.told ?? [])).joined(separator: "; ")
  }

  private static func nothing(of names: [String], _ standing: Standing) -> String {
    let list = names.joined(separator: ", ")
    switch standing {
    case .absent: return "nothing of \(list) is stored"
    case .made:
      return "nothing of \(list) is stored, "
        + (names.count == 1 ? "the entity is there without objects" : "the entities are there without objects")
    case .there: return "nothing more of \(list) is stored"
    }
  }

  private var told: String {
    var text =
      isUpsert
      ? "\(counted(count, "row")) of the data went into objects of \(entity)"
      : "\(counted(count, "object")) of \(entity) \(count == 1 ? "is" : "are") stored"
    if !isBrought {
      text += isUpsert ? ", what comes after in it did not" : ", what comes after in the data is not"
    } else if hasOpenLinks {
      text += ", not all of \(count == 1 ? "its" : "their") links to later ones"
    }
    return text
  }
}

extension ImportJob {
  var soFar: ImportProgress {
    ImportProgress(
      entity: request.entity, standing: declared?.standing(of: request.entity) ?? .absent, count: summary.imported,
      isUpsert: request.isUpsert,
      isBrought: isBrought, hasOpenLinks: !isLinked && !pending.isEmpty)
  }
}

/// The declarations of an import before it stores objects, and the part of them in the store.
struct DeclaredSchema {
  let store: Store
  /// The schema of the store before.
  let before: Schema
  /// The intended schema.
  let wanted: Schema

  /// The part of an entity that is in the store.
  func standing(of entity: String) -> ImportProgress.Standing {
    if before.entity(named: entity) != nil { return .there }
    return (try? store.schema.entity(named: entity)) == nil ? .absent : .made
  }

  /// The indexes that were to be added to entities that were there.
  var indexes: AddedIndexes? {
    guard let now = try? store.schema else { return nil }
    var added = AddedIndexes()
    for entity in wanted.entities {
      guard let old = before.entity(named: entity.name) else { continue }
      let present = now.entity(named: entity.name)?.indexes ?? []
      for index in entity.indexes where !old.indexes.contains(index) {
        // By its kind too: a property may have several.
        let name = SchemaPart.index(entity: entity.name, index).description
        if present.contains(index) { added.made.append(name) } else { added.missing.append(name) }
      }
    }
    return added
  }
}

/// Indexes that an import was to add to objects that are there.
struct AddedIndexes {
  var made: [String] = []
  var missing: [String] = []

  /// A sentence on the indexes that were added, and one on the missing ones.
  var told: [String] { [Self.told(made, "there"), Self.told(missing, "not there")].compactMap(\.self) }

  private static func told(_ names: [String], _ state: String) -> String? {
    if names.isEmpty { return nil }
    let list = names.joined(separator: ", ")
    return names.count == 1 ? "the index \(list) is \(state)" : "the indexes \(list) are \(state)"
  }
}
