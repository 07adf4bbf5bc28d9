import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The macros of `ObjectStore`, as the compiler loads them.
@main struct Plugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    ModelMacro.self, AttributeMacro.self, IndexMacro.self, RelationshipMacro.self, InverseMacro.self,
    TransientMacro.self, QueryMacro.self,
  ]
}
