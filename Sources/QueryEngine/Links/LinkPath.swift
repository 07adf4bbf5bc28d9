internal import PredicateLanguage
internal import Storage

/// A path from an object along links, forward and backward, to others: `projects.tasks` of a person. An object at its
/// end counts as often as the path leads to it.
///
/// It does not depend on how the objects at its end are used.
struct LinkPath: Sendable {
  /// One link, followed from each of the objects reached so far.
  struct Hop: Sendable {
    let link: Link
    /// The entity that the link leads to.
    let entity: LinkedEntity
    /// The set that the reached objects must be in; nil for all.
    var targets: SemijoinSet?
  }

  /// A link column, and the end from which it is followed.
  struct Link: Hashable, Sendable {
    /// The entity that has the column.
    let source: LinkedEntity
    let column: Int
    /// Whether the link is followed from the targets to the objects that link to them.
    let isBackward: Bool

    /// The path of the link in the language, or of its inverse.
    var path: String {
      let path = source.stored.columns[column].path
      return isBackward ? "@links.\(source.stored.name).\(path)" : path
    }
  }

  let hops: [Hop]
  /// The entity that the path leads to.
  let entity: LinkedEntity
  /// The estimated number of objects that the path leads to from a single object.
  let fanOut: Double

  /// nil for a path without links.
  init?(_ hops: [Hop], fanOut: Double = 1) {
    guard let last = hops.last else { return nil }
    self.hops = hops
    entity = last.entity
    self.fanOut = fanOut
  }

  /// The set that the objects at the end must be in; nil for all.
  var targets: SemijoinSet? { hops.last?.targets }

  /// The link column of the row's object, if the path is a single forward link.
  var onlyColumn: Int? {
    hops.count == 1 && hops[0].link.isBackward == false ? hops[0].link.column : nil
  }

  /// The path in the language: `projects.tasks`.
  var path: String { hops.map(\.link.path).joined(separator: ".") }
}
