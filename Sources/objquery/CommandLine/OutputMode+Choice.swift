import ArgumentParser

extension OutputMode {
  /// The mode that `--mode` or the option of its name chooses; nil when neither is given. Throws when they differ.
  static func chosen(_ mode: OutputMode?, _ shorthand: OutputMode?) throws -> OutputMode? {
    if let mode, let shorthand, mode != shorthand {
      throw ValidationError("--mode \(mode.rawValue) and --\(shorthand.rawValue) contradict each other")
    }
    return mode ?? shorthand
  }
}
