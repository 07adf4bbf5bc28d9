import ArgumentParser
import Foundation
import Testing

@testable import objquery

/// What the command says to somebody who tries it for the first time and mistypes.
@Suite struct FirstStepsTests {
  let workshop: Workshop
  let store: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
    let file = try workshop.file("docs.jsonl", "{\"id\":1,\"n\":2}\n{\"id\":2,\"n\":3}")
    let outcome = try Command.run(["import", "--quiet", store, file, "Doc", "--key", "id"])
    #expect(outcome.status == 0, "\(outcome)")
  }

  // MARK: Misspelt words

  @Test(arguments: [
    ("impot", "import"), ("imprt", "import"), ("chek", "check"), ("Export", "export"), ("bakcup", "backup"),
  ])
  func aMisspeltSubcommand(_ written: String, _ meant: String) throws {
    let outcome = try Command.run([written, store, "x.jsonl", "Doc"])
    #expect(outcome.status == 2 && outcome.errors.contains("did you mean 'objquery \(meant)'?"), "\(outcome)")
  }

  @Test func aStoreWhoseNameIsNearASubcommandOpens() throws {
    let near = workshop.path + "/impot"
    try FileManager.default.copyItem(atPath: store, toPath: near)
    #expect(try Command.run([near, "-c", "COUNT Doc"]).output == "2\n")
    let absent = try Command.run(["quakes.store", "-c", "COUNT Doc"])
    #expect(absent.status == 2 && !absent.errors.contains("did you mean"), "\(absent)")
  }

  @Test(arguments: [
    ("--jsno", "--json"), ("--tabel", "--table"), ("--readolny", "--readonly"), ("--exlpain", "--explain"),
    ("--comand", "--command"), ("--no-bial", "--no-bail"),
  ])
  func aMisspeltOption(_ written: String, _ meant: String) throws {
    let outcome = try Command.run([store, written, "-c", "COUNT Doc"])
    #expect(outcome.status == 64, "\(outcome)")
    #expect(outcome.errors.hasPrefix("Error: Unknown option '\(written)'. Did you mean '\(meant)'?\n"), "\(outcome)")
  }

  @Test func aMisspeltOptionOfASubcommand() throws {
    let near = try Command.run(["import", store, "x.jsonl", "Doc", "--upsret"])
    #expect(near.status == 64 && near.errors.contains("Unknown option '--upsret'. Did you mean '--upsert'?"), "\(near)")
    let far = try Command.run(["import", store, "x.jsonl", "Doc", "--paralel"])
    #expect(far.status == 64 && far.errors.hasPrefix("Error: Unknown option '--paralel'\n"), "\(far)")
  }

  // MARK: Help

  @Test func theHelpNamesEverySubcommandWithItsWords() throws {
    let help = try Command.run(["--help"])
    let usage = help.output.components(separatedBy: "USAGE: ").last?.components(separatedBy: "\n\n").first ?? ""
    for command in ShellCommand.configuration.subcommands {
      #expect(usage.contains("objquery \(command._commandName) "), "\(command._commandName) in \(usage)")
    }
  }

  @Test func errorsNameTheWholeCommandForHelp() throws {
    for command in ShellCommand.configuration.subcommands {
      let name = command._commandName
      let outcome = try Command.run([name, "--nonsense"])
      #expect(outcome.status == 64, "\(outcome)")
      #expect(outcome.errors.contains("See 'objquery \(name) --help' for more information."), "\(outcome)")
      #expect(try Command.run([name, "--help"]).status == 0)
    }
  }

  @Test func everySummaryStandsApartFromItsCommand() throws {
    let help = try Command.run([store, "-c", ".help"]).output
    for command in DotCommand.all {
      #expect(
        help.contains("  \(command.summary)\n") || help.contains("\n\(command.summary)\n"), "\(command.name) in \(help)"
      )
    }
  }

  // MARK: Import

  @Test func anUpsertSaysByWhatAndWhatItReplaced() throws {
    let file = try workshop.file("more.jsonl", "{\"id\":2,\"n\":8}\n{\"id\":3,\"n\":1}\n{\"id\":3,\"n\":9}")
    let outcome = try Command.run(["import", store, file, "Doc", "--upsert"])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.errors.contains("Doc: 1 object added, 1 replaced (matched by 'id') in "), "\(outcome)")
    #expect(outcome.errors.contains("note: 1 row replaced an earlier row of this file with the same 'id'\n"))
    #expect(try Command.run([store, "--csv", "-c", "Doc SORT BY id"]).output == "id,n\n1,2\n2,8\n3,9\n")
    // Once more: all are there, and one stands twice in the file.
    let again = try Command.run(["import", store, file, "Doc", "--upsert"])
    #expect(again.errors.contains("Doc: 0 objects added, 2 replaced (matched by 'id') in "), "\(again)")
    #expect(again.errors.contains("note: 1 row replaced"), "\(again)")
    let plain = try workshop.file("plain.jsonl", "{\"id\":4,\"n\":1}")
    #expect(try !Command.run(["import", store, plain, "Doc", "--upsert"]).errors.contains("note:"))
  }

  @Test func whatIsThereAlreadyIsToldOfUpsert() throws {
    let file = try workshop.file("again.jsonl", "{\"id\":1,\"n\":8}\n{\"id\":3,\"n\":1}")
    let outcome = try Command.run(["import", store, file, "Doc"])
    #expect(outcome.status == 1 && outcome.errors.contains("there is already an object with '1'"), "\(outcome)")
    #expect(outcome.errors.contains("note: with --upsert a row replaces the object with its 'id'\n"), "\(outcome)")
  }

  @Test func aDumpOverObjectsThatAreThereTellsOfUpsert() throws {
    let dump = workshop.path + "/dump"
    #expect(try Command.run([store, "-c", ".dump \(dump)"]).status == 0)
    let outcome = try Command.run(["import", store, dump])
    #expect(outcome.status == 1, "\(outcome)")
    let command = "objquery import \(store) \(dump)/Doc.jsonl Doc --upsert"
    #expect(outcome.errors.contains("note: with \(command) a row replaces the object with its 'id'\n"), "\(outcome)")
    let typed = try Command.run([store, "-c", ".import \(dump)"])
    #expect(typed.errors.contains("note: with .import \(dump)/Doc.jsonl Doc --upsert a row replaces"), "\(typed)")
    #expect(try Command.run(["import", store, "\(dump)/Doc.jsonl", "Doc", "--upsert"]).status == 0)
  }

  // MARK: Check, export, counts

  @Test func aGoodStoreIsIntact() throws {
    #expect(try Command.run(["check", store]).output == "intact: 1 entity, 2 objects, 1 index\n")
    #expect(try Command.run(["check", "--help"]).output.contains("1 the store is damaged"))
  }

  @Test(arguments: ["DELETE Doc WHERE id == 1", "UPDATE Doc SET n = 1", "BEGIN"])
  func onlyQueriesAreExported(_ statement: String) throws {
    let file = workshop.path + "/x.jsonl"
    let message = "only rows of a query can be exported: write a query, or only the name of an entity"
    let outcome = try Command.run(["export", store, file, statement])
    #expect(outcome.status == 1, "\(outcome)")
    #expect(
      outcome.errors == "error: \(message), as in objquery export STORE FILE \"Doc WHERE …\"\n", "\(outcome)")
    let typed = try Command.run([store, "-c", ".export \(file) \(statement)"])
    #expect(typed.errors == "error: \(message), as in .export FILE Doc WHERE …\n", "\(typed)")
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func anExportOfSeveralEntitiesIsToldInTheWordsOfTheCommand() throws {
    let file = try workshop.file("notes.jsonl", "{\"a\":1}")
    #expect(try Command.run(["import", "--quiet", store, file, "Note"]).status == 0)
    let outcome = try Command.run(["export", store, workshop.path + "/x.jsonl"])
    #expect(
      outcome.errors == "error: say what to export, as in objquery export STORE FILE \"Doc\"; there are Doc, Note\n",
      "\(outcome)")
    let typed = try Command.run([store, "-c", ".export \(workshop.path)/x.jsonl"])
    #expect(typed.errors == "error: say what to export, as in .export FILE Doc; there are Doc, Note\n", "\(typed)")
  }

  @Test func oneObjectIsOne() throws {
    let one = workshop.path + "/one"
    let file = try workshop.file("one.jsonl", "{\"a\":1}")
    #expect(try Command.run(["import", "--quiet", one, file, "Note"]).status == 0)
    let schema = try workshop.file("note.swift", "@Model struct Note { var a: Int; var at: Date }")
    let outcome = try Command.run(["import", one, "/dev/null", "Note", "--jsonl", "--schema", schema])
    #expect(!outcome.errors.contains("1 objects"), "\(outcome)")
    #expect(outcome.errors.contains("1 object has none"), "\(outcome)")
  }
}
