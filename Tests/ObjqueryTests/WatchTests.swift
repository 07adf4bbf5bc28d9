import Foundation
import TestSeeds
import Testing

/// `objquery watch` and `.watch`, beside processes that write.
@Suite struct WatchTests {
  private let workshop: Workshop
  private let store: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
    let schema = """
      @Model struct Owner { @Attribute(.unique) var name: String }
      @Model struct Item { @Attribute(.unique) var code: Int; var mark: Int; var owner: Link<Owner>? }

      """
    let lines = (0..<6).map { #"{"code":\#($0),"mark":\#($0 % 3)}"# + "\n" }.joined()
    let outcome = try Command.run([
      "import", store, try workshop.file("items.jsonl", lines), "Item", "--schema",
      try workshop.file("schema.swift", schema),
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private func change(_ statements: String...) throws {
    for statement in statements {
      let outcome = try Command.run([store, "--yes", "-c", statement])
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  private struct Line: Decodable, Equatable {
    struct Row: Decodable, Equatable { var code: Int; var mark: Int }
    var op: String
    var row: Row?
    var commit: Int
  }

  private func lines(_ text: String) throws -> [Line] {
    try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
  }

  @Test func eachChangeIsALine() throws {
    let command = try RunningCommand(["watch", store, "Item WHERE mark > 0 SORT BY mark, code", "--changes", "4"])
    #expect(command.waitUntilItShows("ready"))
    try change(#"INSERT Item {"code": 7, "mark": 0}"#, #"INSERT Item {"code": 8, "mark": 1}"#)
    #expect(command.waitUntilItShows("\"code\":8"))
    try change("UPDATE Item SET mark = 5 WHERE code == 1")
    #expect(command.waitUntilItShows("\"op\":\"update\""))
    try change("UPDATE Item SET mark = 0 WHERE code == 2")
    #expect(command.waitUntilItShows("\"op\":\"delete\""))
    try change("DELETE Item WHERE code == 8")
    #expect(command.end() == 0)
    let all = try lines(command.output)
    #expect(all.prefix(5).map { $0.row?.code } == [1, 4, 2, 5, nil])
    let told = all.dropFirst(5).map { "\($0.op) \($0.row?.code ?? -1) \($0.row?.mark ?? -1)" }
    #expect(told == ["insert 8 1", "update 1 5", "delete 2 2", "delete 8 1"])
    let commits = all.map(\.commit)
    #expect(commits == commits.sorted() && Set(commits).count == 5)
  }

  /// Whoever applies the lines to what he has, has the result.
  @Test(arguments: ["Item WHERE mark > 3", "Item SORT BY mark, code LIMIT 5", "Item WHERE owner.name == 'a'"])
  func theLinesLeadToTheResult(_ query: String) throws {
    var numbers = SeededNumbers(testSeed())
    try change(#"INSERT Owner {"name": "a"}"#, #"INSERT Owner {"name": "b"}"#)
    let command = try RunningCommand(["watch", store, query])
    #expect(command.waitUntilItShows("ready"))
    var script = ""
    for step in 0..<40 {
      let (code, mark) = (Int.random(in: 0..<12, using: &numbers), Int.random(in: 0..<9, using: &numbers))
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0: script += #"INSERT Item {"code": \#(100 + step), "mark": \#(mark)};"# + "\n"
      case 1: script += "DELETE Item WHERE code == \(code);\n"
      case 2: script += "UPDATE Item SET mark = \(mark) WHERE code BETWEEN {\(code), \(code + 3)};\n"
      default: script += "UPDATE Item SET owner = '\(["a", "b"][mark % 2])' WHERE code > \(code);\n"
      }
    }
    script += #"INSERT Item {"code": -1, "mark": 4, "owner": "a"};"#
    let outcome = try Command.run([store, "--yes", "-f", try workshop.file("changes.objq", script)])
    #expect(outcome.status == 0, "\(outcome.errors)")
    // The last row is in two of the results; with the lowest code it is among the first five if its mark is.
    let wanted = try Command.run([store, "-c", query, "-m", "jsonl"]).output.split(separator: "\n")
      .map { try JSONDecoder().decode(Line.Row.self, from: Data($0.utf8)) }
    var found: [Int: Line.Row] = [:]
    for _ in 0..<1_000 {
      found = [:]
      // The last line may not be whole yet.
      let whole = command.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      for line in try lines(whole.joined(separator: "\n")) {
        guard let row = line.row else { continue }
        found[row.code] = line.op == "delete" ? nil : row
      }
      if found.count == wanted.count, wanted.allSatisfy({ found[$0.code] == $0 }) { break }
      usleep(10_000)
    }
    #expect(found.values.sorted { $0.code < $1.code } == wanted.sorted { $0.code < $1.code })
    #expect(try command.interrupt() == 130)
  }

  @Test func groupsAndCountsAreWatched() throws {
    let groups = try RunningCommand(["watch", store, "Item GROUP BY mark SELECT mark, @count AS n", "--changes", "2"])
    let count = try RunningCommand(["watch", store, "-m", "table", "COUNT Item", "--changes", "1"])
    #expect(groups.waitUntilItShows("ready") && count.waitUntilItShows(" 6 |"))
    try change(#"INSERT Item {"code": 8, "mark": 1}"#)
    #expect(groups.waitUntilItShows("update"))
    try change("DELETE Item WHERE mark == 2")
    #expect(groups.end() == 0 && count.end() == 0)
    #expect(groups.output.contains(#"{"op":"update","row":{"mark":1,"n":3},"commit":"#))
    #expect(groups.output.contains(#"{"op":"delete","row":{"mark":2,"n":2},"commit":"#))
    #expect(count.output.contains("| ~ |") || count.output.contains("| + |"), "\(count.output)")
  }

  @Test func onlyQueriesAreWatched() throws {
    for (statement, words) in [
      ("DELETE Item", "write a query, as in .watch"), ("Item SECTIONS BY mark", "without SECTIONS BY"),
      ("Item WHERE marc > 1", "mark"),
    ] {
      let outcome = try Command.run(["watch", store, statement])
      #expect(outcome.status == 1 && outcome.errors.contains(words), "\(outcome.errors)")
    }
    #expect(try Command.run([store, "-c", "BEGIN; .watch Item"]).errors.contains("COMMIT or ROLLBACK first"))
    #expect(try Command.run(["watch", store, "Item", "--changes", "0"]).status == 64)
  }

  @Test func ctrlCLeadsBackToThePrompt() throws {
    let terminal = try Terminal([store], state: workshop.path)
    #expect(terminal.wait(for: "> "))
    terminal.type(".watch Item WHERE mark == 2 SORT BY code\n")
    #expect(terminal.wait(for: "2 rows") && terminal.wait(for: "Ctrl-C ends it"))
    try change("UPDATE Item SET mark = 2 WHERE code == 1", "DELETE Item WHERE code == 5")
    #expect(terminal.wait(for: "+ ") && terminal.wait(for: "- ") && terminal.wait(for: "Ctrl-C ends it"))
    terminal.interrupt()
    #expect(terminal.wait(for: "> "))
    terminal.type("COUNT Item\n")
    #expect(terminal.wait(for: "5"))
  }
}
