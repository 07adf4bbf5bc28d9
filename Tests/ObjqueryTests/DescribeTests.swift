import Foundation
import ObjectStoreCore
import Testing

/// `.describe` and `objquery describe`, against plain counts of the same values.
@Suite struct DescribeTests {
  let workshop: Workshop
  let store: String
  private static let count = 4_000

  private static let schema = """
    @Model struct Spot { var longitude: Double; var latitude: Double }
    @Model struct Quake {
      @Attribute(.unique) var id: String
      var mag: Double?; var net: String; var felt: Int; var isBig: Bool; var time: Date; var fee: Decimal; var key: UUID?
      var tags: [String]; var location: Spot?
    }

    """

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
    let schema = try workshop.file("models.swift", Self.schema)
    let lines = (0..<Self.count).map { n in
      let mag = n % 10 == 0 ? "null" : "\(Double(n % 7) / 2)"
      let net = n % 4 == 0 ? "ci" : n % 100 == 1 ? "ak" : "us"
      let place = n % 2 == 0 ? "null" : "{\"longitude\":\(n % 3),\"latitude\":1}"
      return
        "{\"id\":\"q\(n)\",\"mag\":\(mag),\"net\":\"\(net)\",\"felt\":\(n % 50),\"isBig\":\(n % 8 == 0),\"time\":\"2018-02-0\(n % 9 + 1)\",\"fee\":\(n % 5).5,\"key\":null,\"tags\":[\"x\"],\"location\":\(place)}"
    }
    let file = try workshop.file("quakes.jsonl", lines.joined(separator: "\n") + "\n")
    let outcome = try Command.run(["import", "--quiet", store, file, "Quake", "--schema", schema])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
  }

  @Test func numbersAreThoseOfTheValues() throws {
    let text = try Command.run(["describe", "-m", "json", store]).output
    let rows = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]], "\(text)")
    func row(_ name: String) throws -> [String: Any] {
      try #require(rows.first { $0["property"] as? String == name }, "\(name) in \(text)")
    }
    #expect(rows.allSatisfy { $0["entity"] as? String == "Quake" && $0["objects"] as? Int == Self.count })
    let id = try row("id")
    #expect(id["distinct"] as? Int == Self.count && (id["top"] as? [Any])?.isEmpty == true)
    let mag = try row("mag")
    #expect(mag["nil"] as? Int == Self.count / 10 && mag["distinct"] as? Int == 7)
    #expect(mag["least"] as? Double == 0 && mag["greatest"] as? Double == 3 && mag["type"] as? String == "Double?")
    let values = (0..<Self.count).filter { $0 % 10 != 0 }.map { Double($0 % 7) / 2 }
    #expect(abs((mag["mean"] as? Double ?? 0) - values.reduce(0, +) / Double(values.count)) < 1e-9)
    let net = try row("net")
    let nets = (0..<Self.count).map { $0 % 4 == 0 ? "ci" : $0 % 100 == 1 ? "ak" : "us" }
    let top = try #require(net["top"] as? [[String: Any]])
    #expect(top.map { $0["value"] as? String } == ["us", "ci", "ak"])
    for entry in top { #expect(entry["count"] as? Int == nets.count { $0 == entry["value"] as? String }, "\(entry)") }
    #expect(try row("felt")["distinct"] as? Int == 50 && row("isBig")["distinct"] as? Int == 2)
    #expect(try row("time")["distinct"] as? Int == 9 && row("time")["least"] as? String == "2018-02-01T00:00:00Z")
    #expect(try row("fee")["distinct"] as? Int == 5 && row("fee")["mean"] as? Double == 2.5)
    #expect(try row("key")["nil"] as? Int == Self.count && row("key")["distinct"] as? Int == 0)
    #expect(try row("location.longitude")["nil"] as? Int == Self.count / 2)
    #expect(try row("tags")["type"] as? String == "[String]")
  }

  @Test func programsSeeNumbersInEveryMode() throws {
    let rows = try Command.run(["describe", "-m", "csv", store]).output.split(separator: "\n").map(String.init)
    #expect(rows[0] == "entity,property,type,objects,nil,distinct,least,greatest,mean,top,isEstimate")
    let mag = try #require(rows.first { $0.hasPrefix("Quake,mag,") }, "\(rows)")
    #expect(mag.hasPrefix("Quake,mag,Double?,4000,400,7,0.0,3.0,1.49958") && mag.hasSuffix(",false"), "\(mag)")
    let lines = try Command.run(["describe", "-m", "jsonl", store]).output.split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasSuffix(",\"isEstimate\":false}") }, "\(lines)")
  }

  @Test func linksAreNamed() throws {
    let schema = try workshop.file(
      "links.swift",
      """
      @Model struct Person { @Attribute(.unique) var name: String }
      @Model struct Room { var n: Int }
      @Model struct Task { var owner: Link<Person>?; var room: Link<Room>? }

      """)
    let links = workshop.path + "/links"
    func load(_ entity: String, _ text: String) throws {
      let outcome = try Command.run([
        "import", links, try workshop.file(entity + ".jsonl", text), entity, "--schema", schema, "--store-ids",
      ])
      #expect(outcome.status == 0, "\(outcome)")
    }
    try load("Person", "{\"name\":\"Bo\"}\n{\"name\":\"Ann\"}\n")
    try load("Room", "{\"n\":1}\n{\"n\":2}\n")
    try load("Task", String(repeating: "{\"owner\":\"Ann\",\"room\":{\"@id\":2}}\n", count: 3))
    let lines = try Command.run(["describe", "-m", "jsonl", links, "Task"]).output.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains(#""top":[{"value":"Ann","count":3}]"#), "\(lines)")
    #expect(lines.last?.contains(#""top":[{"value":{"@id":2},"count":3}]"#) == true, "\(lines)")
  }

  @Test func peopleSeeShares() throws {
    let shown = try Command.run([store, "-m", "table", "-c", ".describe Quake"]).output
    let lines = shown.split(separator: "\n").map(String.init)
    let mag = try #require(lines.first { $0.hasPrefix("| mag ") }, "\(shown)")
    #expect(mag.contains("10%") && mag.contains("Double?"), "\(mag)")
    let net = try #require(lines.first { $0.hasPrefix("| net ") })
    #expect(net.contains("us ████▌ 74%, ci █▌ 25%, ak ▏ 1%"), "\(net)")
    #expect(lines.first { $0.hasPrefix("| key ") }?.contains("100%") == true)
  }

  @Test func wrongNamesAreMended() throws {
    let wrong = try Command.run(["describe", store, "Quak"])
    #expect(wrong.status != 0 && wrong.errors.contains("did you mean Quake?"), "\(wrong)")
    let shell = try Command.run([store, "-c", ".describe Quake Quake"])
    #expect(shell.status != 0 && shell.errors.contains("usage: .describe [ENTITY]"), "\(shell)")
  }
}
