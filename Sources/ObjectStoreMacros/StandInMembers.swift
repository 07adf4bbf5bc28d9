import SwiftSyntax
import SwiftSyntaxBuilder

/// The members that `@Model` adds to a struct that can be no model, so that the compiler reports what is wrong with the
/// struct and not every use of it. They never run: the program has an error.
struct StandInMembers {
  private let model: StructDeclSyntax

  /// nil for a struct that declares what `@Model` adds.
  init?(of model: StructDeclSyntax) {
    let added = ["objectID", "_objectID", "objectIdentity", "modelDefinition"]
    let variables = model.memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
    guard !variables.contains(where: { $0.bindings.contains { added.contains($0.pattern.trimmedDescription) } }) else {
      return nil
    }
    self.model = model
  }

  /// All of them.
  var declarations: [DeclSyntax] {
    let (name, access) = (model.name.text, model.memberAccess)
    var members = model.identityMembers
    members += [
      """
      nonisolated \(raw: access)static let modelDefinition = ObjectStore.ModelDefinition(
        of: \(raw: name).self, name: "\(raw: name.trimmingBackticks)"
      ) { _ in }
      """,
      """
      nonisolated \(raw: access)init(from row: inout ObjectStore.RowDecoder) throws {
        throw ObjectStore.StoreError.finished
      }
      """,
      "nonisolated \(raw: access)func encode(into row: inout ObjectStore.RowEncoder) {}",
    ]
    if !declares("==") {
      members.append(
        "nonisolated \(raw: access)static func == (left: \(raw: name), right: \(raw: name)) -> Bool { true }")
    }
    if !declares("hash") { members.append("nonisolated \(raw: access)func hash(into hasher: inout Hasher) {}") }
    if !model.declaresInitializer { members.append(memberwise) }
    return members
  }

  private func declares(_ function: String) -> Bool {
    model.memberBlock.members.contains { $0.decl.as(FunctionDeclSyntax.self)?.name.text == function }
  }

  private var memberwise: DeclSyntax {
    let properties = model.memberBlock.members.flatMap { settable(in: $0.decl) }
    return """
      nonisolated \(raw: model.memberAccess)init(\(raw: properties.compactMap(\.parameter).joined(separator: ", "))) {
        \(raw: properties.map(\.assignment).joined(separator: "\n  "))
      }
      """
  }

  /// A property that the initialiser sets.
  private struct Property {
    /// nil for one whose value follows from others.
    let parameter: String?
    let assignment: String
  }

  private func settable(in declaration: DeclSyntax) -> [Property] {
    guard let variable = declaration.as(VariableDeclSyntax.self), !variable.isStatic,
      !variable.modifiers.contains(where: { $0.name.text == "lazy" })
    else { return [] }
    let isVariable = variable.bindingSpecifier.tokenKind == .keyword(.var)
    var properties: [Property] = []
    var following: TypeSyntax?
    for binding in variable.bindings.reversed() {
      if binding.typeAnnotation != nil || binding.initializer != nil { following = binding.typeAnnotation?.type }
      guard !binding.isComputed, isVariable || binding.initializer == nil,
        let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.trimmedDescription,
        name.trimmingBackticks != "self",
        let type = following ?? binding.initializer?.value.evidentType
      else { continue }
      if case .linkingObjects? = LinkType(type) {
        properties.append(Property(parameter: nil, assignment: "self.\(name) = ObjectStore.LinkingObjects()"))
        continue
      }
      var parameter = "\(name): \(type.is(FunctionTypeSyntax.self) ? "@escaping " : "")\(type.trimmedDescription)"
      if let value = binding.initializer?.value {
        parameter += " = \(value.trimmedDescription)"
      } else if case .list? = LinkType(type) {
        parameter += " = []"
      } else if isVariable, type.isOptionalSugar {
        parameter += " = nil"
      }
      properties.append(Property(parameter: parameter, assignment: "self.\(name) = \(name)"))
    }
    return properties.reversed()
  }
}
