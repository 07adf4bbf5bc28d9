import ArgumentParser

/// Options that print something about the command and end it.
struct DocumentationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Print what a shell needs to complete the words of this command: bash, zsh or fish; without a value for $SHELL.",
      valueName: "shell"), completion: .list(CompletionScript.Shell.allCases.map(\.rawValue)))
  var generateCompletionScript: String?

  @Option(help: ArgumentHelp("Print the manual: man, a page for man, or markdown.", valueName: "form"))
  var generateManual: Manual.Form?
}
