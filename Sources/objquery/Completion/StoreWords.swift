import ArgumentParser
import ObjectStoreCore

/// Words from the schema of a store that is named on the command line. Nothing is offered where it can't be read.
enum StoreWords {
  /// Completes an entity of the store, which is the first word.
  static let entity = CompletionKind.custom { words, _, _ in entities(of: words) }

  /// Completes an entity, a property or an index of the store, as `drop` names them.
  static let part = CompletionKind.custom { words, _, _ in
    let schema = schema(of: words)
    return schema.entities.flatMap { entity in
      [entity.name] + schema.columns(of: entity).map { "\(entity.name).\($0.path)" }
    }
  }

  /// Completes an index of the store, as `reindex` names it.
  static let index = CompletionKind.custom { words, _, _ in
    schema(of: words).entities.flatMap { entity in entity.indexes.map { "\(entity.name).\($0.name)" } }
  }

  /// Completes the files of an import and the entity after them.
  static let fileOrEntity = CompletionKind.custom { words, place, _ in
    // The store and a file come first.
    (place > 1 ? entities(of: words) : []) + [ShellCompletion.files]
  }

  /// Completes a property of the entity of an import.
  static let property = CompletionKind.custom { words, _, _ in properties(of: words) }

  /// Completes `--date`: a property and how it is written.
  static let date = CompletionKind.custom { words, _, typed in
    guard let colon = typed.lastIndex(of: ":") else { return properties(of: words).map { $0 + ":" } }
    return DateReading.words.map { typed[...colon] + $0 }
  }

  /// Completes `--index`: a list of properties that commas and plus signs separate, with the kind of index before.
  static let indexes = CompletionKind.custom { words, _, typed in
    let end = typed.lastIndex { ",+:".contains($0) }
    let head = end.map { String(typed[...$0]) } ?? ""
    let kinds =
      head.isEmpty || head.hasSuffix(",") ? IndexKind.built.filter { $0 != .ordered }.map { "\($0.rawValue):" } : []
    return (properties(of: words) + kinds).map { head + $0 }
  }

  private static func entities(of words: [String]) -> [String] { schema(of: words).entities.map(\.name) }

  /// The properties of the entity that is the last word but the one that is completed.
  private static func properties(of words: [String]) -> [String] {
    let schema = schema(of: words)
    guard let entity = words.dropFirst().dropLast().last.flatMap(schema.entity(named:)) else { return [] }
    return schema.columns(of: entity).map(\.path)
  }

  private static func schema(of words: [String]) -> Schema {
    guard words.count > 1, let path = words.first, StoreOpener.isReadable(path) else { return Schema() }
    return (try? StoreOpener.open(path, mode: .readOnly).schema) ?? Schema()
  }
}
