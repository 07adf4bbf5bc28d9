import ArgumentParser

/// How the store is opened, what may be done to it, and when to stop.
struct AccessOptions: ParsableArguments {
  @Flag(help: "Never write, not even by opening.")
  var readonly = false

  @Flag(help: "Make the store when it is not there.")
  var create = false

  @Flag(help: "Refuse commands that write, read other files or run programs.")
  var safe = false

  @Flag(help: "Do not ask before all objects of an entity are changed or deleted.")
  var yes = false

  @Flag(help: "Exit status 0 when rows of a file of data were left out as well.")
  var allowErrors = false

  @Option(parsing: .unconditional, help: ArgumentHelp("Stop a statement that takes longer.", valueName: "ms"))
  var timeout: Int?

  mutating func validate() throws {
    if let timeout, timeout <= 0 { throw ValidationError("--timeout must be positive") }
    if create, readonly { throw ValidationError("--create and --readonly contradict each other") }
    if create, safe { throw ValidationError("--create and --safe contradict each other") }
  }
}
