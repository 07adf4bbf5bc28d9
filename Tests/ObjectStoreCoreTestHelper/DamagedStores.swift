import Glibc
import ObjectStoreCore
import Schema
import TestSeeds

/// Damages copies of a store in many ways and asks each everything: an answer is right, or it is an error, or `check`
/// says what is wrong. Of what is read without an index, an answer is right or an error, unless a page has what it had in
/// an earlier commit.
///
/// A signal, a minute without an answer and more than a gigabyte of memory end the process.
struct DamagedStores {
  let seed: UInt64
  let folder: String
  /// The number of the first case.
  let first: Int
  let count: Int
  /// The only kind of damage; nil for all in turn.
  var onlyKind: DamagedBytes.Kind?
  /// Whether damage of the only kind is only read, until something is read as it was not written.
  var stopsAtMisreading = true

  private static let schema =
    """
    @Model struct Person {
      @Attribute(.unique) var code: String
      @Attribute(.indexed) var age: Int
      @Attribute(.folded, .trigram) var name: String
      var weight: Double
      var note: String?
      var tags: [String]
      var sponsor: Link<Person>?
    }
    @Model struct Pet {
      @Attribute(.indexed) var title: String
      var owner: Link<Person>?
    }
    @Model struct Spot { var longitude: Double; var latitude: Double }
    @Model struct Item { var name: String; var price: Decimal?; var count: Int }
    @Model struct Shelf {
      #Index<Shelf>([\\.isOpen, \\.made])
      @Attribute(.unique) var serial: Int
      @Attribute(.indexed) var price: Decimal?
      var made: Date
      var isOpen: Bool
      var label: UUID
      var code: Data
      var spot: Spot
      var people: List<Person>
      var items: [Item]
      var stock: [String: Int]
      var sizes: Set<Int16>
      var share: Float
    }
    """

  /// What every store is asked.
  private static let questions = questionsWithoutIndex + questionsOfIndexes
  /// These read all objects, and follow links by number.
  private static let questionsWithoutIndex = [
    "Person SELECT code, age, name, weight, note, tags", "COUNT Person WHERE weight > 60", "COUNT Person",
    "Pet SELECT title, owner.code", "Person SORT BY weight SELECT code LIMIT 5",
    "Shelf SELECT serial, price, made, isOpen, label, code, stock, sizes, share",
    "COUNT Shelf WHERE ANY items.price > 2.5 AND label != nil", "Shelf SELECT serial, items.@sum.price, spot.longitude",
    "COUNT Shelf WHERE spot IN geoBox([0, 0], [5, 5])", "COUNT Shelf WHERE ANY people.age > 40",
    "Shelf GROUP BY isOpen SELECT isOpen, @sum.price, @max.made, @avg.share",
  ]
  private static let questionsOfIndexes = [
    "Person WHERE code == 'p77' SELECT code, age, note",
    "Person WHERE age BETWEEN {20, 22} SELECT code", "COUNT Person WHERE age == 21",
    "Person WHERE name CONTAINS 'öße 11' SELECT code", "Person WHERE name ==[cd] 'grosse 12' SELECT code, weight",
    "Person SORT BY age DESC, code SELECT code, age LIMIT 20", "Pet WHERE owner.age == 21 SELECT title",
    "Pet WHERE owner.code == 'p9' SELECT title, owner.weight", "Person GROUP BY age SELECT age, @count",
    "Person WHERE sponsor.code == 'p2' SELECT code",
    "Shelf WHERE isOpen == TRUE AND made > date('2020-02-01') SELECT serial",
    "COUNT Shelf WHERE price BETWEEN {1, 1.5}",
    "Shelf WHERE serial == 77 SELECT price, made, code", "Shelf SORT BY price DESC, serial SELECT serial LIMIT 9",
  ]

  private static let changes = [
    "UPDATE Person SET age = age + 1 WHERE age == 21", "DELETE Person WHERE code == 'p77'",
    "INSERT Pet {\"title\": \"new\", \"owner\": {\"code\": \"p9\"}}",
    "INSERT Person {\"code\": \"new\", \"age\": 1, \"name\": \"Neu\", \"weight\": 1.5, \"tags\": []}",
    "UPDATE Person SET weight = weight + 1",
    "UPDATE Shelf SET price = price + 0.25, made = made + 60 WHERE isOpen == TRUE",
    "DELETE Shelf WHERE serial == 77",
  ]

  private func bytes() throws -> DamagedBytes {
    let path = folder + "/original"
    let copy = folder + "/former"
    if access(copy + "/data.mdb", R_OK) == 0 { return DamagedBytes(try contents(path), former: try contents(copy)) }
    let store = try Store.openDynamic(path, mode: .create, schema: try SchemaText.parse(Self.schema))
    let session = StatementSession(store)
    try session.run("BEGIN")
    for number in 0..<700 {
      let note = number % 90 == 7 ? "\"\(String(repeating: "long \(number) ", count: 400))\"" : "null"
      let sponsor = number == 0 ? "null" : "{\"code\": \"p\(number / 3)\"}"
      try session.run(
        """
        INSERT Person {"code": "p\(number)", "age": \(number % 90), "name": "Größe \(number)", "tags": ["t\(number % 7)"],
          "weight": \(Double(number) / 4), "note": \(note), "sponsor": \(sponsor)}
        """)
    }
    for number in 0..<300 {
      try session.run(
        "INSERT Pet {\"title\": \"pet \(number % 40)\", \"owner\": {\"code\": \"p\(number * 7 % 650)\"}}")
    }
    for number in 0..<400 { try session.run("INSERT Shelf \(shelf(number))") }
    try session.run("COMMIT")
    for round in 0..<3 { try session.run("UPDATE Person SET weight = weight + 0.5 WHERE age == \(20 + round)") }
    try session.run("UPDATE Shelf SET price = price + 0.01 WHERE serial < 50")
    let former = try contents(path)
    for round in 0..<5 {
      try session.run("UPDATE Person SET age = age + 1, weight = weight + 1 WHERE weight > \(20 * round)")
      try session.run("DELETE Person WHERE code == 'p\(690 + round)'")
      try session.run("UPDATE Pet SET title = 'pet x' WHERE title == 'pet \(round)'")
      try session.run("UPDATE Shelf SET price = price + 1, share = share + 1 WHERE serial > \(70 * round)")
      try session.run("DELETE Shelf WHERE serial == \(390 + round)")
    }
    // Last, since who finds it takes the original for whole.
    try put(former, to: copy)
    return DamagedBytes(try contents(path), former: former)
  }

  /// Values of every type, some of them too long for their cluster.
  private func shelf(_ number: Int) -> String {
    let digits = String(1000 + number)
    let items = (0..<number % 4).map { place in
      "{\"name\": \"item \(place)\", \"price\": \(place == 2 ? "null" : "\(number % 5).\(place)5"), \"count\": \(place * number)}"
    }
    let people = (0..<number % 3).map { "{\"code\": \"p\(number + $0 * 50)\"}" }
    let code = String(repeating: "AAEC", count: number % 80 == 9 ? 900 : number % 6)
    return """
      {"serial": \(number), "price": \(number % 11 == 0 ? "null" : "\(number % 97).\(number % 4 * 25)"),
       "made": "2020-0\(1 + number % 9)-1\(number % 10)T12:00:00Z", "isOpen": \(number % 3 == 0),
       "label": "00000000-0000-4000-8000-00000000\(digits)", "code": "\(code)",
       "spot": {"longitude": \(number % 20), "latitude": \(number % 15)}, "people": [\(people.joined(separator: ", "))],
       "items": [\(items.joined(separator: ", "))], "stock": {"a": \(number), "b": \(number % 3)},
       "sizes": [\(number % 7), \(100 + number % 50)], "share": \(Double(number % 8) / 8)}
      """
  }

  func run() throws {
    let bytes = try bytes()
    let right = try Self.questions.map { try answer($0, StatementSession(original())) }
    var outcomes: [String: Int] = [:]
    for number in first..<first + count {
      alarm(60)
      var random = SeededNumbers(seed &+ UInt64(number) &* 0x9E37_79B9)
      let kind = onlyKind ?? DamagedBytes.Kind.allCases[number % DamagedBytes.Kind.allCases.count]
      say("case \(number) \(kind)")
      let kinds = DamagedBytes.Kind.allCases.count
      // A number without common factors: the bits of the meta pages in an order that is soon in all their parts; the seed
      // chooses the first. The remainder has the sum not overflow.
      let turn = onlyKind == nil ? number / kinds + Int(seed % 4_096) : number
      let damaged = bytes.damaged(kind, case: turn &* 61, &random)
      try put(damaged.bytes)
      if onlyKind != nil, stopsAtMisreading {
        guard let question = misread(right) else { continue }
        return say("WRONG after \(number) cases: \(question)")
      }
      let outcome = use(right, damaged.hasFormerObjects, &random)
      outcomes["\(kind) \(outcome.prefix { $0 != ":" })", default: 0] += 1
      if outcome.hasPrefix("WRONG") { say("  case \(number) \(kind): \(outcome)") }
      if try Self.highestMemory() > 1 << 20 {
        say("  case \(number) \(kind): more than a gigabyte of memory")
        exit(2)
      }
    }
    for (outcome, count) in outcomes.sorted(by: { $0.key < $1.key }) { say("  \(count) × \(outcome)") }
    say("done \(count)")
  }

  /// The most memory of this process so far, in kilobytes. Not that of `getrusage`, which begins with what the process had
  /// that started this one.
  private static func highestMemory() throws -> Int {
    struct NotSaid: Error {}
    guard let file = fopen("/proc/self/status", "r") else { throw NotSaid() }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard text.hasPrefix("VmHWM:") else { continue }
      if let number = text.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) }) { return number }
    }
    throw NotSaid()
  }

  private func original() throws -> Store { try Store.openDynamic(folder + "/original", mode: .readOnly) }

  /// A question that a damaged store answers otherwise, without an error.
  private func misread(_ right: [[String]]) -> String? {
    guard let store = try? Store.openDynamic(folder + "/damaged", mode: .readWrite) else { return nil }
    let session = StatementSession(store)
    return zip(Self.questions, right).first { question, right in
      (try? answer(question, session)).map { $0 != right } ?? false
    }?.0
  }

  /// How a damaged store answers. What begins with WRONG must not be.
  private func use(_ right: [[String]], _ hasFormerObjects: Bool, _ random: inout SeededNumbers) -> String {
    let path = folder + "/damaged"
    let store: Store
    do { store = try Store.openDynamic(path, mode: .readWrite) } catch { return "refused" }
    let session = StatementSession(store)
    var errors: [any Error] = []
    var wrong: [String] = []
    // What comes first meets pages that nobody has verified.
    for place in Self.questions.indices.shuffled(using: &random) {
      do {
        if try answer(Self.questions[place], session) != right[place] { wrong.append(Self.questions[place]) }
      } catch { errors.append(error) }
    }
    let isWhole: Bool
    do { isWhole = try store.check().isWhole } catch { return "WRONG, check throws: \(error)" }
    _ = try? store.statistics()
    if Int.random(in: 0..<3, using: &random) == 0 {
      remove(folder + "/copy")
      try? store.backup(to: folder + "/copy")
    }
    for change in Self.changes.shuffled(using: &random) {
      do { try session.run(change) } catch { errors.append(error) }
    }
    _ = try? store.check()
    if let question = wrong.first(where: { Self.questionsWithoutIndex.contains($0) }), !hasFormerObjects {
      return "WRONG without an index: \(question)"
    }
    if let question = wrong.first { return isWhole ? "WRONG and called whole: \(question)" : "wrong, check says so" }
    if let error = errors.first { return isWhole ? "WRONG, errors and called whole: \(error)" : "errors" }
    return isWhole ? "right" : "right, check says what is damaged"
  }

  /// An answer as text. Objects come in no order where none is asked for.
  private func answer(_ question: String, _ session: StatementSession) throws -> [String] {
    switch try session.run(question) {
    case .rows(let rows):
      let lines = try rows.rows().map { "\($0)" }
      return question.contains("SORT BY") ? lines : lines.sorted()
    case .count(let count): return ["\(count)"]
    case .objects, .sections, .explanation, .changed, .schemaChanged, .none: return []
    }
  }

  private func contents(_ store: String) throws -> [UInt8] {
    let file = open(store + "/data.mdb", O_RDONLY)
    defer { close(file) }
    var status = stat()
    guard file >= 0, fstat(file, &status) == 0 else { exit(66) }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    guard read(file, &bytes, bytes.count) == bytes.count else { exit(66) }
    return bytes
  }

  private func put(_ bytes: [UInt8]) throws { try put(bytes, to: folder + "/damaged") }

  private func put(_ bytes: [UInt8], to path: String) throws {
    mkdir(path, 0o700)
    unlink(path + "/lock.mdb")
    let file = open(path + "/data.mdb", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(file) }
    guard file >= 0, write(file, bytes, bytes.count) == bytes.count else { exit(73) }
  }

  private func remove(_ store: String) {
    unlink(store + "/data.mdb")
    unlink(store + "/lock.mdb")
    rmdir(store)
  }
}
