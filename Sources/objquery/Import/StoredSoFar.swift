/// What an import that was stopped has stored of an entity: whole transactions stay, the one under way does not.
struct StoredSoFar {
  /// The entity in the store.
  enum Standing: Hashable {
    case absent
    /// It is new, and made.
    case made
    /// It was there before.
    case there
  }

  let entity: String
  var standing = Standing.absent
  /// How many records of the data became objects, or parts of them.
  var count = 0
  /// Whether several of these records may be one object.
  var isUpsert = false
  /// Whether there is nothing more in the data.
  var isBrought = false
  /// Whether links to objects that came later are still to be set.
  var hasOpenLinks = false

  /// Says it of several entities.
  static func told(_ all: [StoredSoFar]) -> String {
    var told = all.filter { $0.count > 0 }.map(\.told)
    for standing in [Standing.absent, .made, .there] {
      let names = all.filter { $0.count == 0 && $0.standing == standing }.map(\.entity)
      if !names.isEmpty { told.append(nothing(of: names, standing)) }
    }
    return told.joined(separator: "; ")
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
  var soFar: StoredSoFar {
    StoredSoFar(
      entity: request.entity, standing: standing, count: summary.imported, isUpsert: request.isUpsert,
      isBrought: isBrought, hasOpenLinks: !isLinked && !pending.isEmpty)
  }
}
