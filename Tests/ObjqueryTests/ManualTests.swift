import ArgumentParser
import Foundation
import Testing

@testable import objquery

/// The manual is what the command says of itself.
@Suite struct ManualTests {
  private static let files: [(form: Manual.Form, path: String)] = [
    (.man, "Tools/objquery.1"), (.markdown, "Sources/ObjectStore/ObjectStore.docc/ObjqueryReference.md"),
  ]

  @Test func theFilesAreThoseOfTheCommand() throws {
    let manual = try Manual()
    for (form, path) in Self.files {
      let text = try String(contentsOf: Command.root.appendingPathComponent(path), encoding: .utf8)
      #expect(text == manual.text(form), "\(path) is old: Tools/manual")
    }
  }

  @Test func theCommandPrintsThem() throws {
    for (form, _) in Self.files {
      let outcome = try Command.run(["--generate-manual", form.rawValue])
      #expect(try outcome.output == Manual().text(form))
      #expect(outcome.status == 0)
    }
    #expect(try Command.run(["--generate-manual", "html"]).status == 64)
  }

  @Test func everythingIsInIt() throws {
    let blocks = try Manual().blocks
    for command in DotCommand.all {
      #expect(blocks.contains { if case .subsection(let title) = $0 { title.hasPrefix(command.name) } else { false } })
    }
    for subcommand in ShellCommand.configuration.subcommands {
      #expect(blocks.contains(.subsection(subcommand._commandName)))
    }
    for topic in HelpTexts.Topic.allCases { #expect(blocks.contains(.section(topic.title))) }
    for status in ExitStatus.allCases {
      #expect(blocks.contains(.item(term: "\(status.rawValue)", text: status.meaning)))
    }
  }

  @Test(arguments: ShellCommand.configuration.subcommands.map { $0._commandName })
  func aSubcommandHasUsageExamplesAndStatuses(_ name: String) throws {
    let help = try Command.run([name, "--help"])
    #expect(help.status == 0)
    #expect(help.output.contains("USAGE: objquery \(name)"))
    #expect(
      help.output.contains("\n    objquery \(name) ") || help.output.contains("\n  objquery \(name) "), "\(help.output)"
    )
    #expect(help.output.contains("Exit status: 0 all done, 1 "))
    #expect(try Command.run(["help", name]).output == help.output)
    // What has a default or a unit says so.
    let tree = try #require(try CommandTree.whole().subcommand(name))
    for argument in tree.declaredArguments where argument.shouldDisplay {
      #expect(argument.abstract?.isEmpty == false, "\(argument.words)")
    }
  }

  /// Programs that show manuals find nothing to complain of; where neither is installed the test says so.
  @Test func programsThatShowManualsReadIt() throws {
    let page = Command.root.appendingPathComponent("Tools/objquery.1").path
    let checks = [
      ["/usr/bin/mandoc", "-Tlint", "-Wwarning", page],
      ["/usr/bin/groff", "-k", "-man", "-Tutf8", "-ww", "-z", page],
    ]
    let present = checks.filter { FileManager.default.isExecutableFile(atPath: $0[0]) }
    if present.isEmpty { print("SKIPPED: neither mandoc nor groff is installed") }
    for check in present {
      let outcome = try Command.run(URL(fileURLWithPath: check[0]), Array(check.dropFirst()))
      #expect(outcome.output.isEmpty && outcome.errors.isEmpty, "\(check[0]): \(outcome)")
    }
  }
}
