/// Thrown by the command's own loops when a statement is to stop: Ctrl-C, or its time is over.
struct Stopped: Error, CustomStringConvertible {
  var description: String { "stopped" }
}

/// Thrown when nobody reads the results any more, as after `| head`.
struct OutputClosed: Error, CustomStringConvertible {
  var description: String { "nobody reads the output any more" }
}
