import ArgumentParser
internal import Diagnostics
import ObjectStoreCore

/// `objquery drop STORE NAME…`
struct DropCommand: ParsableCommand {
  static let configuration = CommandConfiguration.subcommand(
    "drop", abstract: "Remove entities, properties and indexes from a store, with what is stored in them.",
    usage: "[--yes] STORE NAME ...",
    discussion: """
      An entity is named as in Doc, a property as in Doc.body or Doc.site.town, an index as in @unique User.email (or \
      \(SchemaPart.otherIndexWords)). What goes is shown first, and asked for; where nobody can be asked, --yes has to say \
      it. All of it goes, or nothing.
      """,
    examples: [
      "drop quakes Quake.felt @unique Quake.code --yes",
      "drop quakes Doc",
    ],
    failure: "nothing was removed")

  @Argument(help: "The store, a folder.", completion: .directory)
  var store: String

  @Argument(help: "What goes.", completion: StoreWords.part)
  var names: [String]

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup
  var told: ToldOptions

  mutating func run() throws {
    let console = told.console
    try console.stoppable { cancellation in
      let open = try StoreOpener.open(store, mode: .readWrite, cancellation: cancellation)
      try open.drop(names, withoutAsking: yes, console, cancellation)
    }
  }
}

extension Store {
  /// Removes parts of the schema after showing them and asking for confirmation.
  func drop(
    _ words: [String], withoutAsking: Bool, _ console: Console, _ cancellation: Cancellation?
  ) throws {
    let names = Self.names(of: words)
    let parts: [StoredPart]
    do { parts = try contents(of: names, cancellation: cancellation) } catch StoreError.migrationNeeded(let problems) {
      throw CommandFailure(
        description: problems.joined(separator: "; ") + "; nothing was removed", code: "not-removable")
    }
    let schema = try schema
    for name in names {
      guard let part = SchemaPart(name), !part.isIn(schema) else { continue }
      throw CommandFailure(
        description: "there is no \(part)\(part.suggestion(in: schema)); nothing was removed", code: "unknown-part")
    }
    for part in parts { console.note(part.text) }
    if !withoutAsking {
      guard Confirmation.canAsk else {
        throw CommandFailure(
          description: "this would remove \(parts.map(\.text).joined(separator: "; ")): call the command with --yes",
          code: DiagnosticCode.needsYes.name)
      }
      try Confirmation.ask("Remove \(parts.count == 1 ? "it" : "them")?", cancellation)
    }
    try Interrupted.telling("nothing was removed") { try remove(names, cancellation: cancellation) }
  }

  /// `@unique User.email` is one name, even when the shell splits it into two words.
  private static func names(of words: [String]) -> [String] {
    var names: [String] = []
    var kind: String?
    for word in words {
      if let begun = kind {
        names.append("\(begun) \(word)")
        kind = nil
      } else if word.hasPrefix("@"), !word.contains(" ") {
        kind = word
      } else {
        names.append(word)
      }
    }
    return names + (kind.map { [$0] } ?? [])
  }
}

extension StoredPart {
  /// The name of a part and its contents.
  fileprivate var text: String {
    switch part {
    case .entity: "\(part): \(counted(count ?? 0, "object"))"
    case .property where count == nil: "\(part): \(type ?? ""), computed from the links that go"
    case .property:
      "\(part): \(type ?? ""), \(counted(count ?? 0, "object")) \(count == 1 ? "has" : "have") a value"
    case .index: "\(part): \(isUnique ? "no value is refused any more for being there twice" : "an index")"
    }
  }

  private var isUnique: Bool {
    if case .index(_, let index) = part { index.kind == .unique } else { false }
  }
}

extension SchemaPart {
  /// The end of the message: the most similar existing name, if any.
  fileprivate func suggestion(in schema: Schema) -> String {
    Suggestion.nearest(to: description, among: schema.partNames(like: self)).map { "; did you mean \($0)?" }
      ?? " in the store"
  }
}
