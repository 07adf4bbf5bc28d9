import Schema
import SwiftSyntax
import SwiftSyntaxBuilder

/// The members that `@Model` adds to a struct.
struct ModelMembers {
  let model: StructDeclSyntax
  let properties: [StoredProperty]
  /// The properties that are not stored, used only by the initialiser.
  let transient: [TransientProperty]
  let indexes: DeclaredIndexes
  /// Whether `@Model(.embedded)` is written.
  let isEmbedded: Bool
  /// Its `originalName:`.
  let originalNames: [ExprSyntax]

  /// All of them.
  var declarations: [DeclSyntax] {
    var members = model.identityMembers + [definition, decoding, encoding]
    if !model.declaresInitializer { members.append(memberwise) }
    return members
  }

  private var name: String { model.name.text }
  private var access: String { model.memberAccess }

  private var definition: DeclSyntax {
    // A statement for each property: type-checking stays linear in their number.
    let statements = properties.map(statement) + indexes.texts.map { "model.index(\($0))" }
    return """
      /// The entity: properties, indexes and key paths.
      nonisolated \(raw: access)static let modelDefinition = ObjectStore.ModelDefinition(
        of: \(raw: name).self, name: "\(raw: name.trimmingBackticks)"\(raw: role)
      ) { model in
        \(raw: statements.joined(separator: "\n  "))
      }
      """
  }

  /// The other declarations for the model as a whole.
  private var role: String {
    (isEmbedded ? ", isEmbedded: true" : "")
      + (originalNames.isEmpty
        ? "" : ", originalNames: [\(originalNames.map(\.trimmedDescription).joined(separator: ", "))]")
  }

  private func statement(_ property: StoredProperty) -> String {
    let identifier = property.identifier.trimmedDescription
    let deleteRule = property.deleteRule.map { ", deleteRule: .\($0)" } ?? ""
    if let inverse = property.inverse {
      return "model.inverse(\"\(property.name)\", \\\(name).\(identifier), of: \(inverse.keyPath.trimmedDescription), "
        + "path: \"\(inverse.path)\"\(deleteRule))"
    }
    if property.isCodable {
      var text = "model.codable(\"\(property.name)\", \\\(name).\(identifier)"
      if let value = property.madeDefault { text += ", made: { \(value.trimmedDescription) }" }
      return text + originalNames(property) + ")"
    }
    var text = "model.property(\"\(property.name)\", \\\(name).\(identifier), \\\(name)?.?.\(identifier)"
    if let value = property.literalDefault { text += ", default: \(value.trimmedDescription)" }
    if let value = property.memberDefault { text += ", member: { \(value.trimmedDescription) }" }
    if let value = property.madeDefault { text += ", made: { \(value.trimmedDescription) }" }
    if let name = property.generatedDefault { text += ", generated: .\(name)" }
    text += originalNames(property)
    if !property.indexOptions.isEmpty {
      // Only values have other indexes than points: the compiler checks the type by the label.
      let label = property.indexOptions.allSatisfy(\.kind.isOverPoint) ? "points" : "indexes"
      text += ", \(label): [\(property.indexes.map { ".\($0)" }.joined(separator: ", "))]"
    }
    return text + deleteRule + ")"
  }

  private func originalNames(_ property: StoredProperty) -> String {
    if property.originalNames.isEmpty { return "" }
    return ", originalNames: [\(property.originalNames.map(\.trimmedDescription).joined(separator: ", "))]"
  }

  /// The properties with values: an inverse follows from the links of others.
  private var kept: [StoredProperty] { properties.filter { $0.inverse == nil } }

  private func reading(_ property: StoredProperty) -> String {
    let value =
      property.inverse.map { "ObjectStore.LinkingObjects(through: \"\($0.path)\", in: row)" }
      ?? (property.isCodable ? "try row.nextEncoded()" : "try row.next()")
    return "self.\(property.identifier.trimmedDescription) = \(value)"
  }

  private var decoding: DeclSyntax {
    """
    /// Reads a value from a row.
    nonisolated \(raw: access)init(from row: inout ObjectStore.RowDecoder) throws {
      \(raw: properties.map(reading).joined(separator: "\n  "))
    }
    """
  }

  private func writing(_ property: StoredProperty) -> String {
    let identifier = property.identifier.trimmedDescription
    return property.isCodable ? "row.append(encoding: self.\(identifier))" : "row.encode(self.\(identifier))"
  }

  private var encoding: DeclSyntax {
    """
    /// Appends one value for each column.
    nonisolated \(raw: access)func encode(into row: inout ObjectStore.RowEncoder) {
      \(raw: kept.map(writing).joined(separator: "\n  "))
    }
    """
  }

  private var memberwise: DeclSyntax {
    """
    /// Creates a value from the given properties.
    nonisolated \(raw: access)init(\(raw: parameters.joined(separator: ", "))) {
      \(raw: (properties.map(assignment) + transient.map(\.assignment)).joined(separator: "\n  "))
    }
    """
  }

  private var parameters: [String] { kept.map(\.parameter) + transient.map(\.parameter) }

  private func assignment(_ property: StoredProperty) -> String {
    let identifier = property.identifier.trimmedDescription
    return "self.\(identifier) = \(property.inverse == nil ? identifier : "ObjectStore.LinkingObjects()")"
  }
}
