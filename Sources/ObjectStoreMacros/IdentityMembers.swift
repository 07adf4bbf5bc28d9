import SwiftSyntax
import SwiftSyntaxBuilder

/// The members of a model that do not depend on its properties.
extension StructDeclSyntax {
  /// The access of the struct where members must repeat it, with a space after it.
  var memberAccess: String {
    let words = ["public", "package"]
    return modifiers.first { words.contains($0.name.text) }.map { $0.name.text + " " } ?? ""
  }

  /// Whether it has an initialiser of its own.
  var declaresInitializer: Bool { memberBlock.members.contains { $0.decl.is(InitializerDeclSyntax.self) } }

  /// The identity, and the properties that show it.
  var identityMembers: [DeclSyntax] {
    let (name, access) = (name.text, memberAccess)
    return [
      "nonisolated private var _objectID = ObjectStore.ObjectIdentity<\(raw: name)>()",
      """
      /// The identity in the store it was read from or added to; nil for a new value. Left out of `==`.
      nonisolated \(raw: access)var objectID: ObjectStore.ObjectID<\(raw: name)>? {
        get { _objectID.id }
        set { _objectID.id = newValue }
      }
      """,
      """
      /// The identity, with when the object was read.
      nonisolated \(raw: access)var objectIdentity: ObjectStore.ObjectIdentity<\(raw: name)> {
        get { _objectID }
        set { _objectID = newValue }
      }
      """,
    ]
  }
}
