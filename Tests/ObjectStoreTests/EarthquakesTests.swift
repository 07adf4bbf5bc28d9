import Foundation
import Testing

/// The example `Tools/examples/earthquakes`: what it shows of made-up earthquakes.
@Suite struct EarthquakesTests {
  @Test func screens() throws {
    guard let compiler = Compiler() else {
      print("SKIPPED: no swiftc, or no built macros beside the tests")
      return
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("earthquakes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let sources = compiler.root.appendingPathComponent("Tools/examples/earthquakes/Sources/earthquakes")
    let files = try FileManager.default.contentsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
    let program = folder.appendingPathComponent("earthquakes")
    let compiled = try compiler.compile(
      files.map { sources.appendingPathComponent($0).path }, to: program, isStrict: true)
    try #require(compiled.isDone, "\(compiled.text)")
    let feed = try compiler.run(compiler.root.appendingPathComponent("Tools/sample"), ["400"])
    try feed.text.write(to: folder.appendingPathComponent("feed.geojson"), atomically: true, encoding: .utf8)

    func screen(_ words: String...) throws -> String {
      try compiler.run(program, ["store", "--once"] + words, in: folder).text
    }
    let first = try screen("--feed", "feed.geojson", "--search", "hual", "--sort", "magnitude")
    #expect(first == Self.bySearch, "\(first)")
    let other = try screen("--day", "2018-02-05", "--sections", "--search", "tokyo", "--ascending")
    #expect(other == Self.inSections, "\(other)")
    let harmful = Self.harmful.replacingOccurrences(of: "\u{1B}", with: "\\u001b")
    try harmful.write(to: folder.appendingPathComponent("harmful.geojson"), atomically: true, encoding: .utf8)
    let escaped = try screen("--feed", "harmful.geojson", "--day", "1970-01-01")
    #expect(escaped.contains(#"Oslo\u{1B}[2J"#) && !escaped.contains("\u{1B}"), "\(escaped)")
    let mistake = try compiler.run(program, ["store", "--sort", "size"], in: folder)
    #expect(!mistake.isDone && mistake.text.hasPrefix("earthquakes: there is no order 'size'\n"), "\(mistake.text)")
  }

  /// An earthquake whose place would clear the screen.
  private static let harmful = """
    {"features": [{"id": "x1", "properties": {"mag": 1, "place": "Oslo\u{1B}[2J", "time": 0, "net": "x"},
      "geometry": {"coordinates": [11, 60, 5]}}]}
    """
  private static let bySearch = """
    Earthquakes of 2018-02-06   by magnitude, descending   search: hual

    >  4.3  09:57  24km SSW of Hualian, Taiwan
       4.2  22:10  45km NNE of Hualian, Taiwan
       3.6  20:56  69km S of Hualian, Taiwan
       3.6  17:45  68km SW of Hualian, Taiwan
       3.4  22:04  72km NW of Hualian, Taiwan
       3.2  19:19  12km S of Hualian, Taiwan
       3.2  15:30  15km S of Hualian, Taiwan
       3.2  09:02  17km NNE of Hualian, Taiwan
       3.2  08:43  49km NE of Hualian, Taiwan
    ────────────────────────────────────────────────────────────────────────────────
    us37000086 at 24.39, 121.28, 10 km deep, 09:57:17 UTC
    9 of 400
    ←→ day   / search   m t r order   s sections   ↑↓ select   q quit

    """
  private static let inSections = """
    Earthquakes of 2018-02-05   by time, ascending   search: tokyo

    us (6)
    >  3.6  03:59  34km N of Tōkyō, Japan
       4.1  05:23  10km NNE of Tōkyō, Japan
       3.6  07:15  29km NE of Tōkyō, Japan
       3.9  14:38  57km SW of Tōkyō, Japan
       3.7  19:06  44km SE of Tōkyō, Japan
       3.9  19:44  31km N of Tōkyō, Japan
    ────────────────────────────────────────────────────────────────────────────────
    us37000270 at 36.18, 139.80, 26 km deep, 03:59:44 UTC
    6 of 400
    ←→ day   / search   m t r order   s sections   ↑↓ select   q quit

    """
}
