import ObjectStoreCore
import Testing

@testable import objquery

@Suite struct TypeInferenceTests {
  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func infer(_ name: String, _ text: String, dates: [String: DateReading] = [:]) throws -> TypeInference.Result
  {
    let path = try workshop.file(name, text)
    let window = try ByteWindow(path: path)
    let format = try ImportFormat.detect(path: path, window: window)
    return try infer(try format.reader(window), dates)
  }

  private func infer(_ reader: some RecordReader, _ dates: [String: DateReading]) throws -> TypeInference.Result {
    var inference = TypeInference(entityName: "Thing", dates: dates)
    while true {
      switch try reader.next() {
      case .record(let fields, let line): try inference.add(fields, line: line, of: reader)
      case .bad: continue
      case .end, .damaged: return inference.finish()
      }
    }
  }

  private func types(_ result: TypeInference.Result) -> [String] {
    result.entity.properties.map { "\($0.name): \($0.type.swiftName)\($0.isOptional ? "?" : "")" }
  }

  @Test func scalarsOfJSON() throws {
    let found = try infer(
      "x.jsonl",
      """
      {"i":1,"d":1,"b":true,"s":"x","t":"2018-02-07T01:02:03Z","n":null,"m":1,"l":[1],"o":1}
      {"i":2,"d":2.5,"b":false,"s":"y","t":"2018-02-08","n":null,"m":"z","l":[]}
      """)
    #expect(
      types(found) == [
        "i: Int", "d: Double", "b: Bool", "s: String", "t: Date", "n: String?", "m: String", "l: [Int]", "o: Int?",
      ])
    #expect(
      found.notes == [
        "m read as String: its values are text and numbers, the first number 1 on line 1",
        "n has no value anywhere: declared String?",
      ])
  }

  @Test func lists() throws {
    let found = try infer(
      "x.jsonl",
      """
      {"i":[1,2],"d":[1,2.5],"s":[],"t":["2018-02-07"],"m":[1,"x"],"n":[1,null],"o":[{}],"l":[[1]],"x":[1],"b":[true]}
      {"i":[],"d":[],"s":[],"t":[],"m":["y"],"n":[],"o":[],"l":[],"x":7}
      """)
    #expect(
      types(found) == ["i: [Int]", "d: [Double]", "s: [String]", "t: [Date]", "m: [String]", "x: Int?", "b: [Bool]?"])
    #expect(
      found.notes == [
        "s has no element anywhere: declared [String]",
        "m read as String: its values are text and numbers, the first number 1 on line 1",
        "n left out: its lists hold nil, the first on line 1",
        "o left out: its lists hold objects, the first on line 1",
        "l left out: its lists hold lists, the first on line 1", "1 value of x is a list: bad rows",
      ])
  }

  @Test func structs() throws {
    let found = try infer(
      "x.json", #"[{"at":{"x":1,"y":2,"deep":{"z":1}},"b":{"x":1}},{"at":{"x":1.5},"b":null}]"#)
    #expect(types(found) == ["at: At", "b: B?"])
    #expect(found.embedded.map(\.name) == ["Deep", "At", "B"])
    #expect(found.embedded[1].properties.map(\.isOptional) == [false, true, true])
    #expect(found.embedded[2].properties.map(\.isOptional) == [false], "always there when b is")
  }

  @Test func scalarsOfCSV() throws {
    let found = try infer(
      "x.csv",
      "i,d,b,s,zip,us,eu,either,hex,at.x\n1,1,true,x,01234,01/31/2018,31/01/2018,01/02/2018,0x1,1\n"
        + "-2,.5,FALSE,,99999,02/01/2018,01/02/2018,02/03/2018,12,\n")
    #expect(
      types(found) == [
        "i: Int", "d: Double", "b: Bool", "s: String?", "zip: String", "us: Date", "eu: Date", "either: String",
        "hex: String", "at: At?",
      ])
    #expect(found.dateForms == ["us": .monthFirst, "eu": .dayFirst])
    #expect(found.notes.contains("zip read as String: numbers would lose the zeros of '01234' on line 2"))
    #expect(found.notes.contains("either read as String: its values may be MM/DD/YYYY or DD/MM/YYYY"))
  }

  @Test func nearlyDatesAreTextAndSaidSo() throws {
    let rows = (1...30).map { "\($0 % 12 + 1)/\($0 % 28 + 1)/2018" }.joined(separator: "\n")
    let found = try infer("x.csv", "Date\n1/31/2018\n\(rows)\n1975-02-23\n")
    #expect(types(found) == ["Date: String"])
    #expect(
      found.notes == [
        "Date read as String: 1 of 32 values is not written MM/DD/YYYY, the first '1975-02-23' on line 33"
      ])
  }

  @Test func namesThatAreNoIdentifiers() throws {
    let found = try infer("x.csv", "Root Mean Square,mag-type,2nd,RootMeanSquare\n1,x,3,4\n")
    #expect(types(found) == ["RootMeanSquare2: Int", "magType: String", "_2nd: Int", "RootMeanSquare: Int"])
    #expect(found.paths["Root Mean Square"] == "RootMeanSquare2")
  }

  @Test func announcedDates() throws {
    let found = try infer("x.jsonl", "{\"t\":1517966773840,\"u\":1517966773840}", dates: ["t": .milliseconds])
    #expect(types(found) == ["t: Date", "u: Int"])
    #expect(found.notes == ["u looks like milliseconds since 1970: --date u:ms makes it a Date"])
  }

  @Test func specialNumbers() throws {
    let found = try infer("x.jsonl", "{\"a\":1.5,\"b\":\"nan\"}\n{\"a\":\"inf\",\"b\":\"-inf\"}")
    #expect(types(found) == ["a: Double", "b: Double"])
  }

  @Test(arguments: [
    ("x.json", "[{}]", ImportFormat.json), ("x.json", "{\"type\":\"FeatureCollection\",\"features\":[]}", .geojson),
    ("x.json", "{}\n{}", .jsonl), ("x.json", "{\n}", .json), ("x.ndjson", "", .jsonl), ("x.txt", "a,b", .csv),
    ("x", " [1]", .json), ("x.TSV", "a", .tsv), ("x.tab", "a", .tsv), ("x.geojson", "", .geojson),
  ])
  func formats(_ name: String, _ text: String, _ format: ImportFormat) throws {
    let path = try workshop.file(name, text)
    #expect(try ImportFormat.detect(path: path, window: try ByteWindow(path: path)) == format)
  }
}
