internal import PredicateLanguage
internal import Storage

/// The way from an object along links, forward and back, to others: `projects.tasks` of a person. Every object at its
/// end counts as often as the way leads there.
///
/// It does not know what is asked of those at its end.
struct LinkPath: Sendable {
  /// One link followed from each of the objects reached so far.
  struct Hop: Sendable {
    let link: Link
    /// Where it leads.
    let entity: LinkedEntity
    /// Those that are gone to; nil for all.
    var targets: SemijoinSet?
  }

  /// A link column, and from which of its ends it is followed.
  struct Link: Hashable, Sendable {
    /// The entity that has the column.
    let source: LinkedEntity
    let column: Int
    /// From the objects that are linked to, to those that link there.
    let isBackward: Bool

    /// As a path: its own, or that of the backlinks.
    var path: String {
      let path = source.stored.columns[column].path
      return isBackward ? "@links.\(source.stored.name).\(path)" : path
    }
  }

  let hops: [Hop]
  /// Where it leads.
  let entity: LinkedEntity
  /// To how many objects at its end it leads from one, about.
  let fanOut: Double

  /// nil for no way at all.
  init?(_ hops: [Hop], fanOut: Double = 1) {
    guard let last = hops.last else { return nil }
    self.hops = hops
    entity = last.entity
    self.fanOut = fanOut
  }

  /// Those at its end that count; nil for all.
  var targets: SemijoinSet? { hops.last?.targets }

  /// The column of the row's object, where it is one link forward.
  var onlyColumn: Int? {
    hops.count == 1 && hops[0].link.isBackward == false ? hops[0].link.column : nil
  }

  /// `projects.tasks`
  var path: String { hops.map(\.link.path).joined(separator: ".") }
}
