/// What a declaration does to properties and indexes of the file that it does not mention.
///
/// Entities that it does not mention stay, except under `everything`.
package enum SchemaRemovals: Hashable, Sendable {
  /// They go when the form of the structure is new to the file, and stay when the file has seen that form before:
  /// then it comes from an older program, which must not remove what a newer one added.
  case automatic
  /// They stay.
  case nothing
  /// They go, and entities that are not mentioned too.
  case everything
}
