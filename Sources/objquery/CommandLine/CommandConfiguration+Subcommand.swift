import ArgumentParser

extension CommandConfiguration {
  /// A subcommand, whose help ends with examples and the exit statuses.
  ///
  /// - Parameters:
  ///   - usage: The words after the name.
  ///   - examples: Calls without `objquery`, a line each.
  ///   - failure: What an exit status of 1 means.
  ///   - unopened: What 2 means, if it is more than that the store could not be opened.
  static func subcommand(
    _ name: String, abstract: String, usage: String, discussion: String, examples: [String], failure: String,
    unopened: String? = nil, hasTimeout: Bool = false
  ) -> CommandConfiguration {
    CommandConfiguration(
      commandName: name, abstract: abstract, usage: "objquery \(name) \(usage)",
      discussion: [
        discussion, examples.map { "  objquery \($0)" }.joined(separator: "\n"),
        ExitStatus.help(failure: failure, unopened: unopened, hasTimeout: hasTimeout),
      ].joined(separator: "\n\n"))
  }
}
