import Foundation
import Testing

/// The example `Tools/examples/earthquakes`: what it shows of made-up earthquakes.
@Suite struct EarthquakesTests {
  /// The example, made in a folder of its own beside a feed of 400 earthquakes.
  private struct Example {
    let compiler: Compiler
    let folder: URL
    var program: URL { folder.appendingPathComponent("earthquakes") }

    /// nil, with a message, where it can't be made.
    init?() throws {
      guard let compiler = Compiler() else {
        print("SKIPPED: no swiftc, or no built macros beside the tests")
        return nil
      }
      self.compiler = compiler
      folder = FileManager.default.temporaryDirectory.appendingPathComponent("earthquakes-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let sources = compiler.root.appendingPathComponent("Tools/examples/earthquakes/Sources/earthquakes")
      let files = try FileManager.default.contentsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
      let compiled = try compiler.compile(
        files.map { sources.appendingPathComponent($0).path }, to: program, isStrict: true)
      try #require(compiled.isDone, "\(compiled.text)")
      let feed = try compiler.run(compiler.root.appendingPathComponent("Tools/sample"), ["400"])
      try feed.text.write(to: folder.appendingPathComponent("feed.geojson"), atomically: true, encoding: .utf8)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
  }

  @Test func screens() throws {
    guard let example = try Example() else { return }
    defer { example.remove() }
    let (compiler, program, folder) = (example.compiler, example.program, example.folder)
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

  /// What each key does, at a terminal.
  @Test func keys() throws {
    guard let example = try Example() else { return }
    defer { example.remove() }
    let terminal = try PseudoTerminal(example.program, ["store", "--feed", "feed.geojson"], in: example.folder)
    func press(_ keys: String, _ isShown: (String) -> Bool) throws -> String {
      try terminal.type(keys)
      // The last line says that all of a screen is there.
      return try terminal.screen { $0.hasSuffix("q quit") && isShown($0) }
    }
    let first = try press("") { $0.contains("of 400") }
    #expect(first.hasPrefix("Earthquakes of 2018-02-06   by time, descending\n"), "\(first)")

    // Days.
    _ = try press("\u{1B}[D") { $0.hasPrefix("Earthquakes of 2018-02-05 ") && $0.contains("\n148 of 400") }
    let back = try press("\u{1B}[C") {
      $0.hasPrefix("Earthquakes of 2018-02-06 ") && $0.contains("of 400") && !$0.contains("\n148 of")
    }
    #expect(back == first)

    // A search, which finds with every key; what is typed is no command until Enter.
    let found = try press("/hual") { $0.contains("search: hual_") && $0.contains("9 of 400") }
    #expect(found.contains("24km SSW of Hualian, Taiwan"), "\(found)")
    let more = try press("\u{7F}\u{7F}\u{7F}") { $0.contains("search: h_") && !$0.contains("\n9 of 400") }
    #expect(Self.magnitudes(of: more).count > 9, "\(more)")
    _ = try press("ual\r") { $0.contains("search: hual\n") && $0.contains("\n9 of 400") }

    // Orders; the selected one stays selected.
    let strongest = try press("m") {
      $0.contains("by magnitude, descending")
        && Self.magnitudes(of: $0) == [4.3, 4.2, 3.6, 3.6, 3.4, 3.2, 3.2, 3.2, 3.2]
    }
    #expect(strongest.contains(">  4.2  22:10  45km NNE of Hualian, Taiwan"), "\(strongest)")
    _ = try press("r") { $0.contains("by magnitude, ascending") && Self.magnitudes(of: $0).last == 4.3 }
    _ = try press("t") { $0.contains("by time, ascending") && Self.magnitudes(of: $0).last == 4.2 }
    _ = try press("mr") { $0.contains("by magnitude, descending") && Self.magnitudes(of: $0).first == 4.3 }

    // Another selected one, with what is shown of it; the first and the last one are where it ends.
    _ = try press("\u{1B}[A") { $0.contains(">  4.3  09:57") && $0.contains("us37000086 at 24.39, 121.28") }
    _ = try press("\u{1B}[A\u{1B}[B") { $0.contains(">  4.2  22:10") && !$0.contains("us37000086") }
    _ = try press("\u{1B}[A") { $0.contains(">  4.3  09:57") }
    _ = try press("r") { $0.contains("by magnitude, ascending") && Self.magnitudes(of: $0).last == 4.3 }
    _ = try press("\u{1B}[B\u{1B}[A") { $0.contains(">  4.2  22:10") }

    // Sections, with their headings.
    _ = try press("s") { $0.contains("\nus (9)\n") }
    _ = try press("s") { !$0.contains("us (9)") }

    // What another program stores meanwhile appears by itself.
    try Self.another.write(
      to: example.folder.appendingPathComponent("another.geojson"), atomically: true, encoding: .utf8)
    let fed = try example.compiler.run(
      example.program, ["store", "--once", "--feed", "another.geojson"], in: example.folder)
    #expect(fed.isDone, "\(fed.text)")
    let after = try press("") { $0.contains("\n10 of 401\n") }
    #expect(after.contains("4.4  12:00  1km S of Hualian, Taiwan"), "\(after)")

    try terminal.type("q")
    #expect(terminal.ended())
  }

  /// The magnitudes of the lines of a screen, from the top.
  private static func magnitudes(of screen: String) -> [Double] {
    screen.split(separator: "\n").compactMap { line in
      line.prefixMatch(of: #/[> ] +([-0-9.]+)  \d\d:\d\d  /#).flatMap { Double($0.1) }
    }
  }

  /// An earthquake of the day that is shown.
  private static let another = """
    {"features": [{"id": "x2", "properties": {"mag": 4.4, "place": "1km S of Hualian, Taiwan", "time": 1517918400000,
      "net": "us"}, "geometry": {"coordinates": [121.6, 24, 5]}}]}
    """

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
