/// The kind of queries that an index supports.
///
/// What a kind is called and may be over is all here: schema text, `--index`, models, messages and the catalog take it
/// from `traits`. It does not know how an index is stored or read.
public enum IndexKind: String, Hashable, Sendable, CaseIterable {
  /// As `ordered`, and no two objects share a value other than nil.
  case unique
  /// Equality, ranges and order, over one or several columns.
  case ordered
  /// Equality and prefixes without regard to case and diacritics.
  case folded
  /// Words.
  case fullText
  /// Substrings, with or without regard to case and diacritics.
  case trigram
  /// Locations on the earth.
  case geo
  /// The objects that link to an object. The store creates one for every link; it can't be declared.
  case inverse

  /// What distinguishes a kind, except how it is stored.
  private struct Traits {
    /// What an index may be over.
    enum Subject {
      case values, text, point, link
    }

    /// How messages call an index of the kind.
    var title: String
    var subject: Subject
    /// What it is for, in help; empty for a kind that this version does not build.
    var purpose = ""
    /// Whether its keys are made from folded strings.
    var folds = false
    /// Whether nothing can be written without it.
    var isNeededByWrites = false
    /// For a kind that this version does not build, how the queries it would serve run instead.
    var unbuilt: String?
  }

  private var traits: Traits {
    switch self {
    case .unique:
      Traits(
        title: "the unique index", subject: .values, purpose: "values that no two objects share",
        isNeededByWrites: true)
    case .ordered: Traits(title: "the index", subject: .values, purpose: "equality, ranges and order")
    case .folded:
      Traits(
        title: "the folded index", subject: .text, purpose: "a text for ==[c], BEGINSWITH[cd] and the like", folds: true
      )
    case .fullText:
      Traits(
        title: "the full-text index", subject: .text,
        unbuilt: "TEXT is refused, CONTAINS searches every text (a '.trigram' index makes that fast)")
    case .trigram:
      Traits(
        title: "the trigram index", subject: .text,
        purpose: "a text for CONTAINS, LIKE and MATCHES, with [c] and [d] or without", folds: true)
    case .geo: Traits(title: "the geo index", subject: .point, unbuilt: "geoWithin looks at every object")
    case .inverse: Traits(title: "the inverse of", subject: .link, isNeededByWrites: true)
    }
  }
}

extension IndexKind {
  /// How messages call an index of the kind: `the folded index`.
  package var title: String { traits.title }

  /// What it is for, in help.
  package var purpose: String { traits.purpose }

  /// Whether it is over values of any type, as they are.
  package var isOverValues: Bool { traits.subject == .values }

  /// Whether it is over one text.
  package var isOverText: Bool { traits.subject == .text }

  /// Whether it is over a point, a struct with a longitude and a latitude.
  package var isOverPoint: Bool { traits.subject == .point }

  /// Whether a schema may declare it.
  package var isDeclarable: Bool { traits.subject != .link }

  /// Whether its keys are made from folded strings, and so belong to one version of the folding.
  package var folds: Bool { traits.folds }

  /// Whether nothing can be written without an index of the kind: values that must be unique, and objects that link to
  /// one, are found by it.
  package var isNeededByWrites: Bool { traits.isNeededByWrites }

  /// For a kind that this version does not build, how the queries it would serve run instead; nil for other kinds.
  package var unbuilt: String? { traits.unbuilt }

  /// The option of `@Attribute` that declares this kind.
  package var attribute: String { self == .ordered ? "indexed" : rawValue }

  /// The word after USING in a statement.
  package var statementWord: String { self == .ordered ? "sorted" : rawValue }

  /// The kinds that a schema may declare.
  package static var declarable: [IndexKind] { allCases.filter(\.isDeclarable) }

  /// The kinds that a schema may declare and this version builds.
  package static var built: [IndexKind] { declarable.filter { $0.unbuilt == nil } }

  /// The kind for an option of `@Attribute` and `#Index`.
  package init?(attribute word: String) {
    guard let kind = Self.declarable.first(where: { $0.attribute == word }) else { return nil }
    self = kind
  }
}
