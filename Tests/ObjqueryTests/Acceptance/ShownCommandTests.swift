import Foundation
import Testing

/// Every command that README and the page about the command show with what it prints, on the stores that they speak of.
@Suite struct ShownCommandTests {
  static let pages = ["README.md", "Sources/ObjectStore/ObjectStore.docc/Objquery.md"]
  static let feed = Command.data("usgs-all-week.geojson")
  static let table = Command.data("earthquakes-1965-2016.csv")

  /// A command as it is typed, and what stands below it.
  struct Example {
    var command: String
    var output: String
  }

  /// What begins with `$ ` in a block of code. A command goes on while a quote is open.
  static func examples(in page: String) -> [Example] {
    var examples: [Example] = []
    var isCode = false
    var isExample = false
    for line in page.components(separatedBy: "\n") {
      if line.hasPrefix("```") {
        isCode.toggle()
        isExample = false
      } else if isCode, line.hasPrefix("$ ") {
        examples.append(Example(command: String(line.dropFirst(2)), output: ""))
        isExample = true
      } else if isExample, let last = examples.last {
        let isOpen = last.command.count { $0 == "\"" } % 2 == 1
        examples[examples.count - 1].command += isOpen ? "\n" + line : ""
        examples[examples.count - 1].output += isOpen ? "" : line + "\n"
      }
    }
    return examples
  }

  /// The text without what differs from run to run and is not shown: how long it took.
  private static func settled(_ text: String) -> String {
    text.components(separatedBy: "\n").filter { !$0.hasPrefix("time ") }.joined(separator: "\n")
  }

  @Test(.enabled(if: feed != nil && table != nil, "SKIPPED: the sample data are not here"))
  func whatTheyShowIsTrue() throws {
    let examples = try Self.pages.flatMap { page in
      Self.examples(in: try String(contentsOf: Command.root.appendingPathComponent(page), encoding: .utf8))
    }
    #expect(examples.count >= 5)
    let scratch = try Scratch()
    let events = try Command.run([
      "import", "--quiet", scratch.path("events.store"), try #require(Self.table), "Event", "--index", "Magnitude",
    ])
    let quakes = try Command.run(
      ["import", "--quiet", scratch.path("quakes.store"), try #require(Self.feed), "Quake", "--key", "id"]
        + ["--index", "mag,time", "--date", "time:ms", "--date", "updated:ms"])
    #expect(events.status == 0 && quakes.status == 0, "\(events) \(quakes)")
    for example in examples {
      let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let bin = URL(fileURLWithPath: bundle).deletingLastPathComponent().path
      let outcome = try Command.run(
        URL(fileURLWithPath: "/bin/sh"),
        ["-c", "cd '\(scratch.folder.path)' && PATH='\(bin)':$PATH && { \(example.command)\n} 2>&1"])
      #expect(Self.settled(outcome.output) == example.output, "\(example.command)")
    }
  }
}
