import Foundation
import Testing

/// A change of the schema that somebody was shown, while others change the store.
@Suite struct ShownChangeTests {
  private let workshop: Workshop
  private let store: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/items"
    let lines = "{\"code\":1,\"mark\":null}\n{\"code\":2,\"mark\":null}\n"
    let schema = "@Model struct Item { @Attribute(.unique) var code: Int; var mark: Int? }\n"
    let outcome = try Command.run([
      "import", store, try workshop.file("items.jsonl", lines), "Item", "--schema",
      try workshop.file("schema.swift", schema),
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private func run(_ statement: String) throws -> String {
    let outcome = try Command.run([store, "--yes", "-c", statement])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  @Test func whatNobodyWasShownIsNotLost() throws {
    let terminal = try Terminal([store], state: workshop.path + "/state")
    #expect(terminal.wait(for: "items> "))
    terminal.type("ALTER Item DROP PROPERTY mark\n")
    #expect(terminal.wait(for: "[y/N]"))
    _ = try run("UPDATE Item SET mark = 7 WHERE code == 2")
    terminal.type("y\n")
    #expect(terminal.wait(for: "the store was changed since it was shown what would change"))
    #expect(try run("COUNT Item WHERE mark == 7") == "1\n")
    // Shown again, it is done.
    #expect(terminal.wait(for: "items> "))
    terminal.type("ALTER Item DROP PROPERTY mark\n")
    #expect(terminal.wait(for: "1 value") && terminal.wait(for: "[y/N]"))
    terminal.type("y\n")
    #expect(terminal.wait(for: "items> "))
    #expect(try run("Item SORT BY code") == "{\"code\":1}\n{\"code\":2}\n")
  }

  @Test func migrateDropsOnlyWhatItHasShown() throws {
    let schema = try workshop.file(
      "next.swift", "@Model struct Item { @Attribute(.unique) var code: Int; var mark: Int?; var extra: Int? }\n")
    let terminal = try Terminal(["migrate", store, "--schema", schema], state: workshop.path + "/state")
    #expect(terminal.wait(for: "+ Item.extra") && terminal.wait(for: "[y/N]"))
    _ = try run("ALTER Item ADD precious: String?; UPDATE Item SET precious = 'gold'")
    terminal.type("y\n")
    #expect(terminal.status() == 1)
    #expect(try run("COUNT Item WHERE precious == 'gold'") == "2\n")
  }

  /// A former name may be given again.
  @Test func namesAreFreeAfterARenaming() throws {
    #expect(
      try run(
        "UPDATE Item SET mark = code; ALTER Item RENAME mark TO other; ALTER Item ADD mark: Int?; "
          + "ALTER Item RENAME mark TO third; ALTER Item RENAME other TO mark; Item SORT BY code")
        == "{\"code\":1,\"mark\":1,\"third\":null}\n{\"code\":2,\"mark\":2,\"third\":null}\n")
  }
}
