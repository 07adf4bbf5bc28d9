/// What a check of a whole file found: what was looked at, and everything wrong with it. It repairs nothing.
package struct CheckReport: Hashable, Sendable {
  /// How many entities were looked at.
  package var entities = 0
  /// How many objects could be read.
  package var objects = 0
  /// How many declared indexes were compared with the objects, both ways; the inverses of links are, too.
  package var indexes = 0
  /// One sentence for each thing that is wrong, naming the place.
  package var problems: [String] = []

  /// How many problems are told of one kind in one place; the rest is counted.
  static let limit = 20
}
