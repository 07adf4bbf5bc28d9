import GrammarNotation

/// A piece of a railroad diagram: its size, and how it is drawn. The track enters and leaves at `up` below its top.
indirect enum Diagram {
  /// A text as it is written: a box with round ends.
  case terminal(String)
  /// Another rule: a box with corners.
  case rule(String)
  /// In words.
  case note(String)
  case sequence([Diagram])
  /// One of several, the first on the track.
  case choice([Diagram])
  /// Nothing, or the content any number of times.
  case loop(Diagram)
  /// The content once or more, with a separator between.
  case chain(Diagram, by: Diagram)

  static let track = 12.0
  static let gap = 10.0
  static let half = 13.0

  /// The diagram of a pattern.
  init(_ pattern: Pattern) {
    switch pattern {
    case .choice(let parts): self = .choice(parts.map(Diagram.init))
    case .sequence(let parts): self = .sequence(Diagram.pieces(parts))
    case .optional(let part): self = .choice([.sequence([]), Diagram(part)])
    case .repetition(let part): self = .loop(Diagram(part))
    case .rule(let name): self = .rule(name)
    case .text(let text): self = .terminal(text)
    case .words(let words): self = .note(words)
    case .ahead(let part, let isNegated): self = .note((isNegated ? "before no " : "before ") + Diagram.words(part))
    }
  }

  /// `a { "," a }` becomes one loop around `a` with the comma on the way back, as people know it.
  private static func pieces(_ parts: [Pattern]) -> [Diagram] {
    var pieces: [Diagram] = []
    var index = 0
    while index < parts.count {
      if index + 1 < parts.count, case .repetition(.sequence(let inner)) = parts[index + 1], inner.last == parts[index]
      {
        pieces.append(.chain(Diagram(parts[index]), by: .sequence(inner.dropLast().reversed().map(Diagram.init))))
        index += 2
      } else {
        pieces.append(Diagram(parts[index]))
        index += 1
      }
    }
    return pieces
  }

  private static func words(_ pattern: Pattern) -> String {
    switch pattern {
    case .choice(let parts): parts.map(words).joined(separator: ", ")
    case .sequence(let parts): parts.map(words).joined(separator: " ")
    case .rule(let name): name
    case .text(let text): text
    case .ahead(let part, let isNegated): (isNegated ? "(not before " : "(before ") + words(part) + ")"
    default: pattern.description
    }
  }

  // MARK: Size

  var label: String {
    switch self {
    case .terminal(let text), .note(let text): text
    case .rule(let name): name
    default: ""
    }
  }

  private var labelWidth: Double {
    label.unicodeScalars.reduce(0) { $0 + ($1.value < 0x80 ? 7.3 : 12) }
  }

  var width: Double {
    switch self {
    case .terminal, .rule: labelWidth + 22
    case .note: labelWidth * 0.9 + 16
    case .sequence(let parts):
      parts.isEmpty ? 12 : parts.reduce(0) { $0 + $1.width } + Diagram.gap * Double(parts.count - 1)
    case .choice(let parts): (parts.map(\.width).max() ?? 0) + 4 * Diagram.track
    case .loop(let part): part.width + 4 * Diagram.track
    case .chain(let part, let separator): max(part.width, separator.width) + 4 * Diagram.track
    }
  }

  /// How far it reaches above the track.
  var up: Double {
    switch self {
    case .terminal, .rule, .note: Diagram.half
    case .sequence(let parts): parts.map(\.up).max() ?? 2
    case .choice(let parts): parts.first?.up ?? 2
    case .loop: 5
    case .chain(let part, _): part.up
    }
  }

  /// How far it reaches below the track.
  var down: Double {
    switch self {
    case .terminal, .rule, .note: Diagram.half
    case .sequence(let parts): parts.map(\.down).max() ?? 2
    case .choice(let parts):
      (parts.first?.down ?? 2) + parts.dropFirst().reduce(0) { $0 + Diagram.gap + $1.up + $1.down }
    case .loop(let part): Diagram.gap + part.up + part.down + 2
    case .chain(let part, let separator): part.down + Diagram.gap + separator.up + separator.down
    }
  }
}
