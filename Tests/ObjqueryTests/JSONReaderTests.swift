import Testing

@testable import objquery

@Suite struct JSONReaderTests {
  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func read(_ text: String, _ layout: JSONReader.Layout, chunk: Int = 1 << 20) throws -> [String] {
    let path = try workshop.file("data.json", text)
    let reader = try JSONReader(try ByteWindow(path: path, chunk: chunk), layout: layout)
    let first = try transcript(reader)
    try reader.rewind()
    #expect(try transcript(reader) == first, "reading twice gives the same")
    return first
  }

  @Test func lines() throws {
    let text = """
      {"a":1,"b":"x\\u00e9\\n","c":null,"d":true,"e":-1.5e3}

      {"b":"y","a":9223372036854775807,"f":{"g":{"h":1},"i":[1, {"j":2}]}}
      """
    let expected = [
      "1: a=1 b='xé\n' c=nil d=true e=-1500.0",
      "3: b='y' a=9223372036854775807 f={ f.g={ f.g.h=1 f.i=[1, {\"j\":2}]",
    ]
    #expect(try read(text, .lines) == expected)
    #expect(try read(text, .lines, chunk: 7) == expected, "records longer than the buffer")
  }

  @Test func namesInAnyOrderAndWriting() throws {
    let long = String(repeating: "long", count: 40)
    let text = """
      {"a":1,"ab":2,"":3,"é":4,"x\\"y":5,"\(long)":6,"o":{"a":7,"ab":8}}
      {"ab":2,"\\u0061":1,"\\u00e9":4,"":3,"x\\u0022y":5,"\(long)":6,"o":{"\\u0061b":8,"a":7}}
      {"a":1,"ab":3,"abc":4,"\(long)er":5,"\(long)":6,"b\\u0000":7,"b\\u00001":8}
      {"a
      """
    let lines = try read(text, .lines)
    let first = "a=1 ab=2 =3 é=4 x\"y=5 \(long)=6 o={ o.a=7 o.ab=8"
    #expect(
      Array(lines.prefix(3)) == [
        "1: \(first)", "2: ab=2 a=1 é=4 =3 x\"y=5 \(long)=6 o={ o.ab=8 o.a=7",
        "3: a=1 ab=3 abc=4 \(long)er=5 \(long)=6 b\0=7 b\u{0}1=8",
      ])
    #expect(lines.count == 4 && lines[3].hasPrefix("4: BAD"))
  }

  /// One of the two values would be lost.
  @Test func aNameThatIsThereTwiceIsABadLine() throws {
    let text = """
      {"a":1,"b":2,"\\u0061":3}
      {"a":1,"o":{"a":2,"b":3}}
      {"o":{"a":2,"a":3},"a":1}
      {"a":4}
      """
    let reason = "BAD a name is there twice in one object (byte"
    let lines = try read(text, .lines)
    #expect(lines.count == 4 && lines[0].hasPrefix("1: \(reason)") && lines[2].hasPrefix("3: \(reason)"), "\(lines)")
    #expect(lines[1] == "2: a=1 o={ o.a=2 o.b=3" && lines[3] == "4: a=4")
  }

  @Test func badLinesHurtOnlyThemselves() throws {
    let lines = try read("{\"a\":1}\n{\"a\":}\n[1]\n{\"a\":1} x\n{\"a\":tru}\n{\"a\":01}\n{\"a\":2}\n{\"a\"", .lines)
    #expect(lines.first == "1: a=1")
    #expect(lines.dropFirst().prefix(5).allSatisfy { $0.contains("BAD") }, "\(lines)")
    #expect(lines.contains("7: a=2"))
    #expect(lines.last?.hasPrefix("8: BAD") == true, "\(lines)")
  }

  @Test func invalidUTF8IsABadLine() throws {
    let path = try workshop.file("x.jsonl", bytes: Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}\n{\"a\":1}\n".utf8))
    let reader = try JSONReader(try ByteWindow(path: path), layout: .lines)
    let lines = try transcript(reader)
    #expect(lines.count == 2 && lines[0].hasPrefix("1: BAD not valid UTF-8") && lines[1] == "2: a=1", "\(lines)")
  }

  @Test func arrays() throws {
    let text = "\u{FEFF}[ {\"a\": 1},\n {\"a\": \"]}\"} , 7, {\"a\":{}}]\n"
    for chunk in [1 << 20, 5] {
      let lines = try read(text, .document, chunk: chunk)
      #expect(lines.count == 4, "\(lines)")
      #expect(lines[0] == "1: a=1")
      #expect(lines[1] == "2: a=']}'")
      #expect(lines[2].contains("BAD"))
      #expect(lines[3] == "2: a={")
    }
    #expect(try read("[]", .document) == [])
    #expect(try read("{\"a\":1} {\"a\":2}\n{\"a\":3}", .document).count == 3)
  }

  @Test func whatIsDamagedIsSaidWithItsPlace() throws {
    #expect(
      try read("[{\"a\":1},\n{\"a\":", .document) == [
        "1: a=1", "2: DAMAGED the file ends within the object that begins here @10",
      ])
    #expect(try read("[{\"a\":1}", .document).last?.contains("DAMAGED the file ends within the array") == true)
    #expect(try read("[{\"a\":1} {\"a\":2}]", .document).last?.contains("DAMAGED expected , or ]") == true)
    #expect(
      try read("[{\"a\":1},]", .document) == [
        "1: a=1", "1: DAMAGED no object follows the last comma: leave the comma out @9",
      ])
    #expect(try read("[{\"a\":1]}", .document).last?.contains("DAMAGED a bracket does not fit") == true)
    #expect(try read("hello", .document) == ["1: DAMAGED expected [ or {, found 'h' @0"])
    #expect(try read("", .document) == ["1: DAMAGED the file is empty @0"])
    #expect(try read("[] {}", .document).last?.contains("after the end") == true)
    #expect(try read("", .lines) == [])
  }

  @Test func numbersBeyond64BitsAreDoubles() throws {
    let lines = try read(
      "{\"a\":18446744073709551615,\"b\":123456789012345678901234567890,\"c\":9223372036854775808}", .lines)
    #expect(lines == ["1: a=1.8446744073709552e+19 b=1.2345678901234568e+29 c=9.223372036854776e+18"])
  }

  @Test func nestingIsBounded() throws {
    let deep = String(repeating: "{\"a\":", count: 5000) + "1" + String(repeating: "}", count: 5000)
    #expect(try read(deep + "\n{\"b\":1}", .lines).first?.contains("BAD nested too deeply") == true)
    #expect(try read("[" + String(repeating: "[", count: 100_000), .document).last?.contains("DAMAGED") == true)
  }

  @Test func featuresOfACollection() throws {
    let text = """
      {"type":"FeatureCollection","metadata":{"features":[1]},"n":-1.5,"features":[
      {"type":"Feature","id":"a","properties":{"mag":1,"id":7},"geometry":{"type":"Point","coordinates":[-1.5,2]}},
      {"type":"Feature","id":2,"properties":{"mag":null},"geometry":null},
      {"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2,3]}},
      {"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[[1,2]]]}},
      {"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":["x",2]}},
      {"type":"Thing"}
      ],"bbox":[1,2]}
      """
    let path = try workshop.file("x.geojson", text)
    let reader = GeoJSONReader(try JSONReader(try ByteWindow(path: path, chunk: 64), layout: .member(["features"])))
    let expected = [
      "2: mag=1 id='a' location={ location.longitude=-1.5 location.latitude=2.0",
      "3: mag=nil id=2 location=nil",
      "4: location={ location.longitude=1.0 location.latitude=2.0 location.altitude=3.0",
      "5: BAD its geometry is a Polygon; only points can be stored",
      "6: BAD the coordinates of its point are not two or three numbers",
      "7: BAD not a GeoJSON feature: its \"type\" is not \"Feature\"",
    ]
    #expect(try transcript(reader) == expected)
    #expect(reader.notes.count == 1)
  }

  @Test(arguments: ["{}", "{\"a\":1}", "{\"features\":1}", "{\"features\"", "[1]", "{a}"])
  func notACollection(_ text: String) throws {
    let path = try workshop.file("x.geojson", text)
    let reader = GeoJSONReader(try JSONReader(try ByteWindow(path: path), layout: .member(["features"])))
    #expect(try transcript(reader).last?.contains("DAMAGED") == true)
  }
}
