import Testing

/// Values given on the command line, as what they are compared with.
@Suite final class ParameterTests {
  private let workshop: Workshop
  private let store: String

  private static let schema = """
    @Model struct Person { @Attribute(.unique) var id: UUID; var name: String }
    @Model struct Thing {
      var n: Int; var done: Bool; var raw: Data?; var at: Date?; var owner: Link<Person>?; var ids: [UUID]
    }

    """

  private static let (ann, bob) = ("550e8400-e29b-41d4-a716-446655440000", "00000000-0000-0000-0000-00000000000b")

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
    let schema = try workshop.file("schema.swift", Self.schema)
    for (file, entity, rows) in [
      ("people.jsonl", "Person", [#"{"id":"\#(Self.ann)","name":"Ann"}"#, #"{"id":"\#(Self.bob)","name":"Bob"}"#]),
      (
        "things.jsonl", "Thing",
        [
          #"{"n":1,"done":true,"raw":"Zm9yaw==","at":"2018-02-07","owner":"\#(Self.ann)","ids":["\#(Self.bob)"]}"#,
          #"{"n":2,"done":false,"raw":null,"at":null,"owner":null,"ids":[]}"#,
        ]
      ),
    ] {
      let path = try workshop.file(file, rows.joined(separator: "\n") + "\n")
      let outcome = try Command.run(["import", store, path, entity, "--schema", schema], input: "")
      try #require(outcome.status == 0, "\(outcome.errors)")
    }
  }

  private func count(_ condition: String, _ options: String..., of entity: String = "Thing") throws -> String {
    let outcome = try Command.run([store] + options + ["-c", "COUNT \(entity) WHERE \(condition)"], input: "")
    return outcome.status == 0 ? outcome.output : outcome.errors
  }

  @Test(arguments: ["1", "yes", "YES", "true", "True"], ["0", "no", "NO", "false", "False"])
  func bools(_ yes: String, _ no: String) throws {
    #expect(try count("done == $b AND n == 1", "-p", "b=\(yes)") == "1\n")
    #expect(try count("done == $b AND n == 2", "-p", "b=\(no)") == "1\n")
    #expect(try count("done IN {%@} AND n == 1", "--arg", yes) == "1\n")
    #expect(try count("done != %@ AND n == 1", "--arg", no) == "1\n")
    #expect(try count("TERNARY(n > 1, FALSE, done) == $b", "-p", "b=\(yes)") == "1\n")
    #expect(try count("done == $b AND n == 1", "-p", "b:bool=\(yes)") == "1\n")
  }

  @Test func aTextThatIsNoBool() throws {
    #expect(try count("done == $b", "-p", "b=2").contains("$b is '2', which is not true or false, yes or no, 1 or 0"))
    #expect(try count("done == $b", "-p", "b:bool=ja").contains("error[type-mismatch]"))
  }

  /// JSON has no UUIDs, dates and Data: its texts are those beside one.
  @Test func listsInJSON() throws {
    let ids = #"ids:json=["\#(Self.ann)", "\#(Self.bob)"]"#
    #expect(try count("id IN $ids", "-p", ids, of: "Person") == "2\n")
    #expect(try count("NOT id IN $ids", "-p", #"ids:json=["\#(Self.ann)"]"#, of: "Person") == "1\n")
    #expect(try count("id == $id", "-p", #"id:json="\#(Self.ann)""#, of: "Person") == "1\n")
    #expect(try count("owner IN $ids", "-p", ids) == "1\n")
    #expect(try count("owner.id IN $ids", "-p", ids) == "1\n")
    #expect(try count("ANY ids IN $ids", "-p", ids) == "1\n")
    #expect(try count("ids == $ids", "-p", #"ids:json=["\#(Self.bob)"]"#) == "1\n")
    #expect(try count("SUBQUERY(ids, $i, $i IN $ids).@count == 1", "-p", ids) == "1\n")
    #expect(try count("raw IN $r", "-p", #"r:json=["Zm9yaw==", null]"#) == "2\n")
    #expect(try count("at BETWEEN $r", "-p", #"r:json=["2018-01-01", "2019-01-01"]"#) == "1\n")
  }

  @Test func textsInJSONAreNoNumbers() throws {
    #expect(try count("n IN $n", "-p", "n:json=[1, 2]") == "2\n")
    #expect(try count("n IN $n", "-p", #"n:json=["1"]"#).contains("error[type-mismatch]"))
    #expect(try count("done IN $n", "-p", #"n:json=["yes"]"#).contains("error[type-mismatch]"))
    #expect(try count("id IN $ids", "-p", #"ids:json=["x"]"#, of: "Person").contains("'x' cannot be read as UUID"))
  }
}
