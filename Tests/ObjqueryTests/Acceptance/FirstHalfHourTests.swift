import Foundation
import Testing

/// The page *A first half hour with objquery*: every line is run, and what follows it is compared.
///
/// `UPDATE_GOLDENS=1` writes what the lines show into the page.
@Suite struct FirstHalfHourTests {
  private static let page = Command.root.appendingPathComponent(
    "Sources/ObjectStore/ObjectStore.docc/FirstHalfHour.md")
  private static let prompt = "objquery> "

  /// A line that is typed, with what stands below it.
  private struct Step {
    var line: String
    /// The number of its first line in the page.
    var place: Int
    var output: [String] = []
    /// The lines typed to this command.
    var typed: [Step] = []
  }

  /// The commands of the shell, with the lines that are typed to them.
  private static func steps(_ lines: [String]) -> [Step] {
    var steps: [Step] = []
    var isCode = false
    for (place, line) in lines.enumerated() {
      if line.hasPrefix("```") {
        isCode.toggle()
      } else if isCode, line.hasPrefix("$ ") {
        steps.append(Step(line: String(line.dropFirst(2)), place: place))
      } else if isCode, line.hasPrefix(prompt), !steps.isEmpty {
        steps[steps.count - 1].typed.append(Step(line: String(line.dropFirst(prompt.count)), place: place))
      } else if isCode, let last = steps.last {
        if last.typed.isEmpty {
          steps[steps.count - 1].output.append(line)
        } else {
          steps[steps.count - 1].typed[last.typed.count - 1].output.append(line)
        }
      }
    }
    return steps
  }

  /// Lines in which what differs from machine to machine is the same: times, and how much was done in them.
  private static func settled(_ lines: [String]) -> [String] {
    lines.map { $0.replacing(/[0-9.]+ s(, [0-9,]+\/s)?$/, with: "N s") }
  }

  private static func lines(_ text: String) -> [String] {
    text.isEmpty ? [] : text.trimmingCharacters(in: ["\n"]).components(separatedBy: "\n")
  }

  @Test func everyLineShowsWhatThePageSays() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let lines = text.components(separatedBy: "\n")
    let scratch = try Scratch()
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("Tools"), withDestinationPath: Command.root.appendingPathComponent("Tools").path)
    let bin = try Command.binary().deletingLastPathComponent().path
    func shell(_ command: String, input: String = "") throws -> String {
      try Command.run(
        URL(fileURLWithPath: "/bin/sh"),
        ["-c", "cd '\(scratch.folder.path)' && PATH='\(bin)':$PATH && { \(command)\n} 2>&1"], input: input
      ).output
    }
    // A command that watches runs beside those after it.
    var watching: (command: RunningCommand, step: Int)?
    var outputs: [(step: Step, found: [String])] = []
    let steps = Self.steps(lines)
    try #require(steps.count > 10 && steps.contains { !$0.typed.isEmpty })
    for step in steps {
      if step.line.hasPrefix("objquery watch ") {
        let words = step.line.replacing("quakes.store", with: scratch.path("quakes.store"))
        let parts = words.components(separatedBy: "\"")
        let command = try RunningCommand(parts[0].split(separator: " ").dropFirst().map(String.init) + [parts[1]])
        try #require(command.waitUntilItShows("\"ready\""), "\(command.errors)")
        watching = (command, outputs.count)
        outputs.append((step, []))
      } else if step.typed.isEmpty {
        outputs.append((step, Self.lines(try shell(step.line))))
      } else {
        // A line typed ends its statement; a file needs the sign for it.
        let end = "end of \(UUID().uuidString)"
        let lines = [""] + step.typed.map { $0.line + ($0.line.hasPrefix(".") ? "" : ";") }
        let script = lines.map { "\($0)\n.print '\(end)'\n" }.joined()
        let found = try shell("\(step.line) --box --no-bail", input: script).components(separatedBy: end + "\n")
        try #require(found.count == lines.count + 1, "\(step.line): \(found)")
        for (typed, found) in zip([step] + step.typed, found) { outputs.append((typed, Self.lines(found))) }
      }
    }
    if let watching {
      #expect(watching.command.end() == 0)
      outputs[watching.step].found = Self.lines(watching.command.output)
    }
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" {
      var new = lines
      for (step, found) in outputs.reversed() where Self.settled(found) != Self.settled(step.output) {
        new.replaceSubrange(step.place + 1..<step.place + 1 + step.output.count, with: found)
      }
      try Data(new.joined(separator: "\n").utf8).write(to: Self.page)
      return
    }
    for (step, found) in outputs {
      #expect(Self.settled(found) == Self.settled(step.output), "\(step.line)")
    }
  }
}
