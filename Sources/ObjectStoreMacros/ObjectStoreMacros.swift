import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main struct ObjectStoreMacros: CompilerPlugin {
  let providingMacros: [any Macro.Type] = []
}
