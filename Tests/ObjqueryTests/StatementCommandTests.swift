import Foundation
import Testing

/// Statements of every kind as a user runs them: what is shown in each mode, transactions, and what is asked first.
@Suite struct StatementCommandTests {
  let workshop: Workshop
  let store: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
    let file = try workshop.file(
      "things.jsonl",
      """
      {"code":"a","n":1,"x":1.5,"kind":"wide 日本","at":{"lon":1,"lat":2}}
      {"code":"b","n":2,"x":null,"kind":"say \\"so\\",\\n\\u001b[2J","at":null}
      {"code":"c","n":3,"x":4.5,"kind":"wide 日本","at":{"lon":-1,"lat":0.5}}
      {"code":"d","n":4,"x":2.5,"kind":null,"at":{"lon":0,"lat":0}}
      """)
    let outcome = try Command.run(["import", "--quiet", store, file, "Thing", "--key", "code"])
    #expect(outcome.status == 0, "\(outcome)")
  }

  private func ask(_ words: String..., input: String = "") throws -> Command.Outcome {
    try Command.run([store] + words, input: input)
  }

  // MARK: How it is shown

  @Test(arguments: ["table", "box", "csv", "tsv", "json", "jsonl", "line", "markdown", "count", "none"])
  func rowsGroupsAndSectionsInEveryMode(_ mode: String) throws {
    let outcome = try ask(
      "--mode", mode, "-c", "Thing SELECT code AS c, n * 2, at, x, x", "-c",
      "Thing GROUP BY kind SELECT kind, @count, @avg.x, @max.n - @min.n AS span", "-c",
      "Thing SECTIONS BY kind SELECT code, n", "-c", "Thing WHERE n > 9 SELECT code, n", "-c",
      "Thing WHERE n > 9 GROUP BY kind", "-c", "Thing WHERE n > 9 SECTIONS BY kind SELECT n", "-c",
      "COUNT Thing GROUP BY kind")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    try Golden.check("statements-\(mode)", outcome.output)
  }

  @Test func ids() throws {
    #expect(try ask("-m", "ids", "-c", "Thing SELECT n SORT BY n DESC LIMIT 2").output == "d\nc\n")
    #expect(try ask("-m", "ids", "-c", "Thing SECTIONS BY kind").output == "a\nc\nb\nd\n")
    let groups = try ask("-m", "ids", "-c", "Thing GROUP BY kind")
    #expect(groups.status == 1 && groups.errors.contains("groups are not objects"), "\(groups)")
  }

  @Test func jsonIsAlwaysJSON() throws {
    let statements = [
      "Thing SELECT x, x, at, at.lon AS x", "Thing GROUP BY kind", "Thing SECTIONS BY kind", "Thing SELECT @count",
      "Thing WHERE n > 9 SECTIONS BY n", "EXPLAIN Thing GROUP BY n", "EXPLAIN ANALYZE DELETE Thing",
      "EXPLAIN UPDATE Thing SET n = n + 1", "EXPLAIN INSERT Thing {\"code\": \"q\", \"n\": 1}",
    ]
    for statement in statements {
      let output = try ask("--json", "-c", statement).output
      #expect((try? JSONSerialization.jsonObject(with: Data(output.utf8))) != nil, "\(statement): \(output)")
      for line in try ask("--jsonl", "-c", statement).output.split(separator: "\n") {
        #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) != nil, "\(statement): \(line)")
      }
    }
    #expect(try ask("Thing LIMIT 1 SELECT x, x").output == "{\"x\":1.5,\"x (2)\":1.5}\n")
  }

  @Test func limitsAndLooks() throws {
    #expect(try ask("--limit", "1", "-c", "Thing GROUP BY kind SELECT @count").output == "{\"@count\":2}\n")
    #expect(try ask("--limit", "1", "--csv", "-c", "Thing SECTIONS BY n SELECT code").output == "section,code\n1,a\n")
    #expect(
      try ask("-m", "box", ".width 20", "Thing LIMIT 1 SELECT kind AS k, code").output.split(separator: "\n")
        .allSatisfy { $0.count <= 20 })
    #expect(try ask(".width x").status == 1)
    #expect(try ask("LET b = n > 2", "LET a = $b OR n == 1", ".let").output == "LET a = $b OR n == 1\nLET b = n > 2\n")
  }

  // MARK: Values

  @Test func typedParametersInEveryClause() throws {
    #expect(
      try ask("-p", "k=2", "-c", "Thing GROUP BY kind SELECT @count HAVING @count >= $k").output == "{\"@count\":2}\n")
    #expect(try ask("-p", "f:double=0.5", "-c", "Thing LIMIT 1 SELECT n + $f AS s").output == "{\"s\":1.5}\n")
    #expect(try ask("-p", "n:int=9", "-c", "UPDATE Thing SET n = $n WHERE code == 'a'").status == 0)
    #expect(
      try ask("--arg", "3", "--arg", "1", "-c", "Thing WHERE n <= %@ SELECT n * %@ LIMIT 1").output
        == "{\"n * %@\":2}\n")
    #expect(try ask("-p", "n:json=[9,2]", "-c", "COUNT Thing WHERE n IN $n").output == "2\n")
    for wrong in ["n:int=x", "n:date=today", "n:uuid=1", "n:json={", "n:bool=maybe", "n:data=?", "n:double=many"] {
      let outcome = try ask("-p", wrong, "-c", "COUNT Thing WHERE n == $n")
      #expect(outcome.status == 1 && outcome.errors.contains("$n is "), "\(wrong): \(outcome)")
    }
  }

  // MARK: Transactions

  @Test func transactionsInScripts() throws {
    let script = """
      BEGIN;
      UPDATE Thing SET n = n * 10 WHERE code != 'a';
      INSERT Thing {"code": "e", "n": 5};
      Thing SELECT @sum.n, @count;
      """
    let open = try ask(input: script)
    #expect(open.status == 0 && open.output == "{\"@sum.n\":96,\"@count\":5}\n", "\(open)")
    #expect(open.errors.contains("warning: the transaction was still open"), "\(open)")
    #expect(try ask("Thing SELECT @sum.n, @count").output == "{\"@sum.n\":10,\"@count\":4}\n", "it was undone")
    #expect(try ask(input: script + "ROLLBACK;").errors.contains("warning") == false)
    let kept = try ask(input: script + "COMMIT; COUNT Thing")
    #expect(kept.output == "{\"@sum.n\":96,\"@count\":5}\n5\n" && !kept.errors.contains("warning"), "\(kept)")
    #expect(try ask("Thing SELECT @sum.n").output == "{\"@sum.n\":96}\n")
    #expect(
      try ask("-c", "BEGIN", "-c", "DELETE Thing WHERE n > 0", "-c", "COMMIT", "-c", "COUNT Thing").output == "0\n")
  }

  @Test func anObjectThatIsThereAlreadyIsRefusedAndTheTransactionGoesOn() throws {
    let script = "BEGIN; INSERT Thing {\"code\": \"a\", \"n\": 1}; INSERT Thing {\"code\": \"e\", \"n\": 5}; COMMIT;"
    let outcome = try ask("--no-bail", input: script)
    #expect(outcome.status == 1 && outcome.errors.contains("the object was not added"), "\(outcome)")
    #expect(try ask("COUNT Thing").output == "5\n")
  }

  @Test func mistakesInTransactions() throws {
    let bails = try ask(input: "BEGIN; DELETE Thing WHERE n > 1; COUNT Nothing; COMMIT;")
    #expect(bails.status == 1 && bails.errors.contains("still open"), "\(bails)")
    #expect(try ask("COUNT Thing").output == "4\n")
    let goesOn = try ask("--no-bail", input: "BEGIN; DELETE Thing WHERE n > 1; COUNT Nothing; COMMIT;")
    #expect(goesOn.status == 1 && !goesOn.errors.contains("still open"), "\(goesOn)")
    #expect(try ask("COUNT Thing").output == "1\n")
    for (script, code) in [
      ("COMMIT", "no-transaction"), ("ROLLBACK", "no-transaction"), ("BEGIN; BEGIN", "transaction-open"),
    ] {
      let outcome = try ask(input: script)
      #expect(outcome.status == 1 && outcome.errors.contains(code), "\(outcome)")
    }
    // A failed COMMIT says what became of the rest; in a file the errors that are about no text have their line too.
    let unkept =
      "BEGIN;\nINSERT Thing {\"code\": \"f\", \"n\": 1};\nUPDATE Thing SET code = 'a' WHERE code == 'f';\n\nCOMMIT;"
    let failed = try ask("-f", workshop.file("unkept.objq", unkept))
    #expect(
      failed.status == 1 && failed.errors.contains("unkept.objq:5: ")
        && failed.errors.contains("everything since BEGIN was undone"), "\(failed)")
    let asJSON = try ask("--error-format", "json", input: unkept)
    #expect(
      asJSON.errors.contains("\"code\":\"constraint-violated\"") && asJSON.errors.contains("since BEGIN"), "\(asJSON)")
    let misplaced = try ask("-f", workshop.file("misplaced.objq", "COUNT Thing;\n  ROLLBACK;\n"))
    #expect(misplaced.errors.contains("misplaced.objq:2:3\n    ROLLBACK;\n    ^^^^^^^^\n"), "\(misplaced)")
    for command in [".open \(store)", ".close", ".import x Y"] {
      let outcome = try ask("-c", "BEGIN", "-c", command)
      #expect(outcome.status == 1 && outcome.errors.contains("COMMIT or ROLLBACK first"), "\(outcome)")
    }
    #expect(try ask("--safe", "BEGIN").status == 1)
    #expect(try ask("--readonly", "BEGIN").status == 1)
  }

  @Test func warningsHaveCodesOfTheirOwn() throws {
    let open = try ask("--error-format", "json", "-c", "BEGIN")
    #expect(open.errors.hasPrefix("{\"severity\":\"warning\",\"code\":\"transaction-open\","), "\(open)")
    let errors = "/dev/full"
    let file = try workshop.file("bad.csv", "code,n\nx\n" + String(repeating: "y\n", count: 3) + "z,1\n")
    let full = try Command.run(["import", store, file, "Row", "--error-format", "json", "--errors", errors])
    #expect(
      full.errors.contains("{\"severity\":\"warning\",\"code\":\"errors-file\",\"message\":\"the errors file"),
      "\(full)")
  }

  // MARK: Asking first

  @Test func whatChangesEverythingNeedsYes() throws {
    for statement in ["DELETE Thing", "UPDATE Thing SET n = 0", "DELETE Thing SORT BY n", "DELETE Thing OFFSET 1"] {
      let refused = try ask("-c", statement)
      #expect(
        refused.status == 1 && refused.errors.contains("needs-yes") && refused.errors.contains("--yes"), "\(refused)")
    }
    #expect(try ask("COUNT Thing WHERE n > 0").output == "4\n")
    #expect(try ask("-c", "DELETE Thing OFFSET 1").errors.contains("delete 3 of the 4 objects of Thing"))
    #expect(try ask("-c", "UPDATE Thing SET n = %@", "--arg", "5").errors.contains("change all 4 objects of Thing"))
    #expect(try ask("-c", "DELETE Nothing").errors.contains("unknown-entity"))
    #expect(try ask("--yes", "UPDATE Thing SET n = n + 1").errors == "4 objects changed\n")
    #expect(try ask("-c", "DELETE Thing WHERE TRUEPREDICATE").errors == "4 objects deleted\n")
    #expect(try ask("-c", "EXPLAIN DELETE Thing").status == 0)
  }

  /// LIMIT says how many, so nobody is asked; with SORT BY it says which.
  @Test func aLimitChooses() throws {
    #expect(try ask("-c", "UPDATE Thing SET n = n + 10 SORT BY n DESC LIMIT 1").errors == "1 object changed\n")
    #expect(try ask("-c", "DELETE Thing SORT BY n DESC LIMIT 1").errors == "1 object deleted\n")
    #expect(try ask("COUNT Thing WHERE n > 9").output == "0\n")
    #expect(try ask("-c", "DELETE Thing LIMIT 2").errors == "2 objects deleted\n")
    #expect(try ask("COUNT Thing").output == "1\n")
  }

  @Test func anAggregateOfOneValueIsWarnedOf() throws {
    let count = try ask("Thing SELECT count(n)")
    #expect(count.status == 0 && count.output.split(separator: "\n").count == 4)
    #expect(
      count.errors.contains("warning[aggregate-of-single-value]") && count.errors.contains("'@count'"), "\(count)")
    #expect(try ask("Thing SELECT sum(n)").errors.contains("Thing SELECT @sum.n"))
    #expect(try ask("EXPLAIN Thing SELECT max(n)").output.contains("warning: 'max(n)' is of the one value"))
    #expect(try ask("--json", "EXPLAIN Thing SELECT max(n)").output.contains(#""warnings":["'max(n)'"#))
    for quiet in ["Thing SELECT max(n, 3)", "Thing SELECT @count, @max.n", "Thing SELECT count({1, 2})"] {
      #expect(try ask(quiet).errors.isEmpty, "\(quiet)")
    }
  }

  @Test func insertingAndWhatItRefuses() throws {
    #expect(try ask("INSERT Thing {\"code\": \"e\", \"n\": 5, \"at\": {\"lon\": 1, \"lat\": 2}}").status == 0)
    #expect(try ask("Thing WHERE code == 'e' SELECT n, at").output == "{\"n\":5,\"at\":{\"lon\":1,\"lat\":2.0}}\n")
    let twice = try ask("INSERT Thing {\"code\": \"e\", \"n\": 6}")
    #expect(twice.status == 1 && twice.errors.contains("the object was not added"), "\(twice)")
    #expect(try ask("INSERT Thing {\"cod\": \"e\"}").errors.contains("did you mean 'code'?"))
    // All mistakes are told; what is misspelt is not missing as well.
    let several = try ask("INSERT Thing {\"cod\": \"e\", \"n\": \"x\", \"at\": {\"lon\": \"y\", \"lat\": 1}}").errors
    let codes = several.split(separator: "\n").filter { $0.hasPrefix("error[") }.map { $0.prefix { $0 != ":" } }
    #expect(codes == ["error[unknown-property]", "error[type-mismatch]", "error[type-mismatch]"], "\(several)")
  }
}
