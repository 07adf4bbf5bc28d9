import Foundation
import ObjectStoreCore

/// A script that names are made of.
struct Script {
  var name: String
  var syllables: [String]
  /// What is sought, as some names have it.
  var needle: String

  static let all = [
    Script(
      name: "Cyrillic",
      syllables: "мо ска ле нин град во ро неж каза нь омс ке ри дон бур та ша ще юж вер".words,
      needle: "Ленин"),
    Script(
      name: "Greek",
      syllables: "θε σα λο νί κη πά τρα αθ ή να ρό δος κρή τη βό λος ξά νθη μύ κο".words,
      needle: "Θεσαλο"),
    Script(
      name: "French",
      syllables: "é co le mon tré al châ teau gar çon naï ve brû lé or lé ans nî mes bé".words,
      needle: "Montré"),
    Script(
      name: "Japanese", syllables: "東 京 大 阪 山 川 北 海 道 本 日 市 県 島 中 国 上 下 村 町".words, needle: "東京大"),
  ]
}

/// Searches of texts beyond ASCII. SQLite is asked where it has the same question: its LIKE knows no case but ASCII's.
struct TextQuestions {
  private let script: Script
  private let texts: [String]
  private let store: Store
  private let sqlite: SQLiteSide

  init(_ script: Script, objects: Int, folder: URL, sqlite: SQLiteSide) throws {
    self.script = script
    self.sqlite = sqlite
    var random = Generator(seed: 7)
    func word(_ count: Int) -> String {
      (0..<count).map { _ in script.syllables[random.below(script.syllables.count)] }.joined()
        .capitalized
    }
    texts = (0..<objects).map { "\($0 % 97) \(word(3)), \(word(3)) \(word(2))" }
    let file = folder.appendingPathComponent("\(script.name).store").path
    let schema = Schema(entities: [
      Entity(name: "Name", properties: [Property(name: "x", type: .scalar(.string))])
    ])
    store = try Store.openDynamic(file, mode: .create, schema: schema)
    try store.write { [texts] tx in
      let inserter = try tx.inserter(for: "Name")
      for text in texts { _ = try inserter.append([.string(text)]) }
    }
    try sqlite.load(texts: texts, into: script.name)
  }

  func ask(_ report: Report) throws {
    let needle = script.needle
    let upper = needle.uppercased()
    let texts = Texts(self.texts)
    try report.question(
      "count x CONTAINS '\(needle)', \(script.name)", ours: { try count("x CONTAINS '\(needle)'") },
      sqlite: { try sqlite.integer("SELECT count(*) FROM \(script.name) WHERE instr(x, '\(needle)') > 0") },
      limit: { texts.count(containing: needle) })
    for (filter, options, anchored) in [
      ("x CONTAINS[c] '\(upper)'", String.CompareOptions.caseInsensitive, false),
      ("x CONTAINS[cd] '\(upper)'", [.caseInsensitive, .diacriticInsensitive], false),
      ("x BEGINSWITH[c] '1 \(upper)'", .caseInsensitive, true),
    ] {
      let name = "count \(filter), \(script.name)"
      guard report.wants(name) else { continue }
      let sought = anchored ? "1 \(upper)" : upper
      let expected = self.texts.count {
        $0.range(of: sought, options: anchored ? options.union(.anchored) : options) != nil
      }
      let found = try count(filter)
      guard found == expected else {
        throw DifferentAnswers(description: "\(script.name): \(filter): \(found), Foundation \(expected)")
      }
      try report.question(name, ours: { try count(filter) })
    }
  }

  private func count(_ filter: String) throws -> Int {
    try store.objects("Name").filter(filter).count
  }
}

extension String {
  fileprivate var words: [String] { split(separator: " ").map(String.init) }
}
