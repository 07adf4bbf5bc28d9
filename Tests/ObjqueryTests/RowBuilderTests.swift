import ObjectStoreCore
import Testing

@testable import objquery

@Suite struct RowBuilderTests {
  private static let schema = Schema(
    entities: [
      Entity(
        name: "Thing",
        properties: [
          Property(name: "code", type: .scalar(.string)),
          Property(name: "small", type: .scalar(.int8), isOptional: true),
          Property(name: "number", type: .scalar(.double), defaultValue: .double(7)),
          Property(name: "time", type: .scalar(.date), isOptional: true),
          Property(name: "ok", type: .scalar(.bool), isOptional: true),
          Property(name: "key", type: .scalar(.uuid), isOptional: true),
          Property(name: "bytes", type: .scalar(.data), isOptional: true),
          Property(name: "place", type: .embedded("Place"), isOptional: true),
        ])
    ],
    embedded: [
      Entity(
        name: "Place",
        properties: [
          Property(name: "x", type: .scalar(.float)), Property(name: "note", type: .scalar(.string), isOptional: true),
        ])
    ])

  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// The rows of JSON lines or CSV as JSON arrays, or what is wrong with them.
  private func rows(_ name: String, _ text: String, dates: [String: DateReading] = [:]) throws -> [String] {
    let entity = try #require(Self.schema.entities.first)
    let columns = Self.schema.columns(of: entity)
    let builder = RowBuilder(columns: columns, entity: entity, schema: Self.schema, paths: ["c": "code"], dates: dates)
    let path = try workshop.file(name, text)
    let window = try ByteWindow(path: path)
    return try rows(try ImportFormat.detect(path: path, window: window).reader(window), builder)
  }

  private func rows(_ reader: some RecordReader, _ builder: RowBuilder) throws -> [String] {
    var lines: [String] = []
    while case .record(let fields, _) = try reader.next() {
      lines.append(builder.build(fields, of: reader) ?? ValueText.json(.list(Array(builder.values))))
    }
    return lines
  }

  @Test func jsonValues() throws {
    let text = """
      {"code":"a","small":-128,"number":1,"time":"2018-02-07","ok":true,"key":"00000000-0000-0000-0000-00000000000F","bytes":"AQI=","place":{"x":1.5},"extra":1}
      {"c":5}
      {"code":1.5,"place":null,"number":"nan"}
      """
    #expect(
      try rows("x.jsonl", text) == [
        #"["a",-128,1.0,"2018-02-07T00:00:00Z",true,"00000000-0000-0000-0000-00000000000F","AQI=",true,1.5,null]"#,
        #"["5",null,7.0,null,null,null,null,null,null,null]"#,
        #"["1.5",null,"nan",null,null,null,null,null,null,null]"#,
      ])
  }

  @Test(arguments: [
    (#"{"small":1}"#, "code has no value, and may not be nil"),
    (#"{"code":"a","small":128}"#, "small: 128 does not fit Int8"),
    (#"{"code":"a","small":1.5}"#, "small: '1.5' is not a whole number"),
    (#"{"code":"a","small":"1"}"#, "small: '1' is not a whole number"),
    (#"{"code":"a","number":"x"}"#, "number: 'x' is not a number"),
    (
      #"{"code":"a","time":5}"#,
      "time: '5' is not a date written YYYY-MM-DD[Thh:mm:ss]; for numbers say --date …:ms or :s"
    ),
    (#"{"code":"a","time":"2018-02-30"}"#, "time: '2018-02-30' is not a date written YYYY-MM-DD[Thh:mm:ss]"),
    (#"{"code":"a","ok":1}"#, "ok: '1' is not true or false"),
    (#"{"code":"a","key":"x"}"#, "key: 'x' is not a UUID"),
    (#"{"code":"a","bytes":"*"}"#, "bytes: '*' is not base64"),
    (#"{"code":["a"]}"#, "code: a list cannot be kept as String"),
    (#"{"code":{"a":1}}"#, "code: an object cannot be kept as String"),
    (#"{"code":"a","place":5}"#, "place: expected an object"),
    (#"{"code":"a","place":{"note":"n"}}"#, "place.x has no value, and may not be nil"),
  ])
  func badRows(_ text: String, _ reason: String) throws {
    #expect(try rows("x.jsonl", text) == [reason])
  }

  @Test func csvValuesAndDates() throws {
    let text = "code,small,number,time,ok,place.x\n1,2,3,1000,TRUE,4\n\"\",,,,,\n"
    #expect(
      try rows("x.csv", text, dates: ["time": .seconds]) == [
        #"["1",2,3.0,"1970-01-01T00:16:40Z",true,null,null,true,4.0,null]"#,
        #"["",null,7.0,null,null,null,null,null,null,null]"#,
      ])
  }
}
