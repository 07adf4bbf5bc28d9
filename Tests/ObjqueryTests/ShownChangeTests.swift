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

  /// What changes, as it is told before it is done.
  private func told(_ statement: String) throws -> String {
    let outcome = try Command.run([store, "--yes", "-c", statement])
    #expect(outcome.status == 0, "\(outcome)")
    return outcome.errors
  }

  @Test func valuesInThePlaceOfNilAreTold() throws {
    _ = try run("UPDATE Item SET mark = 7 WHERE code == 2")
    let lines = try told("ALTER Item ALTER PROPERTY mark: Double = 1.5")
    #expect(lines.contains("~ Item.mark gets a value in 1 object without one"), "\(lines)")
    #expect(try run("Item SORT BY code SELECT mark") == "{\"mark\":1.5}\n{\"mark\":7.0}\n")
  }

  /// A value that equals the default is one that somebody may have written.
  @Test func everyValueThatIsLostCounts() throws {
    _ = try run("UPDATE Item SET mark = 0; ALTER Item ADD flag: Bool = false; ALTER Item ADD tags: [String]?")
    #expect(try told("ALTER Item DROP PROPERTY mark").contains("- Item.mark: Int?, 2 values"))
    #expect(try told("ALTER Item DROP PROPERTY flag").contains("- Item.flag: Bool, 2 values"))
    #expect(try told("ALTER Item DROP PROPERTY tags").contains("- Item.tags: [String]?, 0 values"))
    _ = try run("ALTER Item ADD zero: Int = 0")
    let terminal = try Terminal([store], state: workshop.path + "/state")
    #expect(terminal.wait(for: "items> "))
    terminal.type("ALTER Item DROP PROPERTY zero\n")
    #expect(terminal.wait(for: "What is marked with '-' is lost."))
  }

  /// What a statement cannot remove alone, the command that it names removes.
  @Test(arguments: ["ALTER Shop DROP PROPERTY site.town", "DROP ENTITY Person"])
  func whatGoesTogetherIsNamed(_ statement: String) throws {
    let path = workshop.path + "/shops"
    let schema = try workshop.file(
      "shops.swift",
      """
      @Model struct Site { var town: String; var zip: String }
      @Model struct Shop { var n: Int; var site: Site; var owner: Link<Person>? }
      @Model struct Home { var n: Int; var site: Site? }
      @Model struct Person { var name: String; var friends: List<Person>; var homes: List<Home> }
      @Model struct Badge { var of: Link<Person>? }

      """)
    #expect(try Command.run(["import", path, "/dev/null", "Shop", "--jsonl", "--schema", schema]).status == 0)
    let refused = try Command.run([path, "--yes", "-c", statement])
    #expect(refused.status == 1, "\(refused)")
    let command = try #require(refused.errors.firstMatch(of: /'objquery drop STORE ([^']*)'/)?.1, "\(refused)")
    let names = command.split(separator: " ").map(String.init)
    let dropped = try Command.run(["drop", path, "--yes"] + names)
    #expect(dropped.status == 0, "\(dropped)")
    let left = try Command.run(["schema", path]).output
    #expect(statement.contains("town") ? !left.contains("town") : !left.contains("Person"), "\(left)")
    #expect(left.contains("struct Shop") && left.contains("struct Home"), "\(left)")
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
