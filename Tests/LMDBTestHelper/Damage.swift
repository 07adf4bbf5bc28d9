import Glibc
import LMDB

/// Damages copies of a store in many ways and uses each in every way: whatever happens must be an error or a result,
/// never a signal.
struct Damage {
  let seed: UInt64
  let folder: String
  /// Without checks the process is bound to crash: that is the control.
  let isChecked: Bool
  /// The number of the first case.
  let first: Int

  /// How a file is damaged.
  enum Kind: CaseIterable {
    case cut, cutInPage, bit, bits, zeroPage, zeroSector, swapPages, noisePage, noiseHeader
  }

  /// A store with every kind of page: large values, branches, inner pages, trees of values, free pages.
  static func prepare(_ folder: String) throws -> String {
    let path = folder + "/store"
    try Environment.create(path) { _ in }
    let environment = try Environment.open(path)
    for round in UInt64(0)..<6 {
      try environment.write { transaction in
        let log = try transaction.createDatabase("log", .integerKey)
        let sets = try transaction.createDatabase("sets", .integerSet)
        let words = try transaction.createDatabase("words")
        let small = try transaction.createDatabase("small", .dupSort)
        for number in UInt64(0)..<300 where number % 6 >= round {
          let value = [UInt8](repeating: UInt8(number & 255), count: Int((number &* 37 &+ round) % 9_000))
          try value.withUnsafeBytes { try transaction.put(number, $0, log) }
          try Array("word\(number)".utf8).withUnsafeBytes { key in
            try value.prefix(90).withUnsafeBytes { try transaction.put(key, $0, words) }
            _ = try transaction.putDuplicate(UnsafeRawBufferPointer(rebasing: key.prefix(5)), key, small)
          }
        }
        for number in UInt64(0)..<3_000 {
          try withUnsafeBytes(of: number % 11 == 0 ? 0 : number % 500) { key in
            _ = try transaction.putDuplicate(key, number &* 31 &+ round, sets)
          }
        }
      }
    }
    return "prepared \(try environment.statistics().usedPages)"
  }

  func run(_ count: Int) throws -> String {
    let original = try bytes(folder + "/store/data.mdb")
    var outcomes: [String: Int] = [:]
    for number in first..<(first + count) {
      var random = Generator(state: seed &+ UInt64(number) &* 0x9E37_79B9)
      let kind = Kind.allCases[number % Kind.allCases.count]
      let damaged = damage(original, kind, &random)
      say("case \(number) \(kind)")
      let outcome = try use(damaged, number)
      outcomes["\(kind) \(outcome)", default: 0] += 1
    }
    for (outcome, count) in outcomes.sorted(by: { $0.key < $1.key }) { say("  \(count) × \(outcome)") }
    let errors = outcomes.filter { !$0.key.hasSuffix("fine") }.values.reduce(0, +)
    return "done \(count), errors \(errors)"
  }

  private func damage(_ original: [UInt8], _ kind: Kind, _ random: inout Generator) -> [UInt8] {
    var bytes = original
    let pages = bytes.count / 4_096
    let page = self.page(original, &random)
    switch kind {
    case .cut: bytes.removeLast((pages - page) * 4_096)
    case .cutInPage: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
    case .bit:
      let place = page * 4_096 + Int.random(in: 0..<4_096, using: &random)
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case .bits:
      // Where structure is dense: the first bytes of pages.
      for _ in 0..<20 {
        let place = self.page(original, &random) * 4_096 + Int.random(in: 0..<200, using: &random)
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
    case .zeroPage: for index in 0..<4_096 { bytes[page * 4_096 + index] = 0 }
    case .zeroSector:
      let sector = Int.random(in: 0..<(bytes.count / 512), using: &random) * 512
      for index in 0..<512 { bytes[sector + index] = 0 }
    case .swapPages:
      let other = self.page(original, &random)
      for index in 0..<4_096 { bytes.swapAt(page * 4_096 + index, other * 4_096 + index) }
      // Their own numbers right, so that only their place is wrong.
      if Bool.random(using: &random) {
        for index in 0..<8 { bytes.swapAt(page * 4_096 + index, other * 4_096 + index) }
      }
    case .noisePage:
      for index in 16..<4_096 { bytes[page * 4_096 + index] = UInt8.random(in: .min ... .max, using: &random) }
    case .noiseHeader:
      for index in 8..<40 { bytes[page * 4_096 + index] = UInt8.random(in: .min ... .max, using: &random) }
    }
    return bytes
  }

  /// A page to damage: mostly one with structure, for in values and free pages damage is harmless to LMDB.
  private func page(_ bytes: [UInt8], _ random: inout Generator) -> Int {
    let pages = bytes.count / 4_096
    for _ in 0..<Int.random(in: 1..<30, using: &random) {
      let page = Int.random(in: 0..<pages, using: &random)
      let number = bytes[page * 4_096..<page * 4_096 + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let flags = bytes[page * 4_096 + 10]
      if number == UInt64(page), bytes[page * 4_096 + 11] == 0, [1, 2, 8, 0x22].contains(flags) { return page }
    }
    return Int.random(in: 0..<pages, using: &random)
  }

  private func use(_ bytes: [UInt8], _ number: Int) throws -> String {
    let path = folder + "/damaged"
    mkdir(path, 0o700)
    unlink(path + "/lock.mdb")
    try write(bytes, to: path + "/data.mdb")
    var options = Environment.Options()
    options.noSync = true
    options.verification = !isChecked ? .never : number % 4 == 3 ? .atOpen : .onFirstUse
    do {
      let environment = try Environment.open(path, options: options)
      var failure: (any Error)?
      func go(_ body: () throws -> Void) { do { try body() } catch { failure = failure ?? error } }
      // What comes first meets pages that nobody has verified.
      var random = Generator(state: seed &+ UInt64(number))
      for step in Step.allCases.shuffled(using: &random) { go { try take(step, environment, &random) } }
      if let failure { throw failure }
      return "fine"
    } catch let error as LMDBError {
      return label(error)
    }
  }

  /// What is done with a damaged store.
  private enum Step: CaseIterable { case statistics, readAll, find, changeAll, remove, removeKeys, empty, copy, drop }

  private func take(_ step: Step, _ environment: Environment, _ random: inout Generator) throws {
    switch step {
    case .statistics: _ = try environment.statistics()
    case .readAll:
      let reader = try environment.beginRead()
      for name in ["log", "sets", "words", "small"] { try readAll(reader, name) }
    case .find:
      let reader = try environment.beginRead()
      for name in ["log", "sets", "words", "small"] { try find(reader, name, &random) }
    case .changeAll: try environment.write { try changeAll($0) }
    case .remove: try environment.write { try remove($0, &random) }
    case .removeKeys:
      try environment.write { transaction in
        for name in ["log", "sets", "words", "small"] {
          guard let database = try transaction.database(name) else { continue }
          let cursor = try transaction.cursor(database)
          for _ in 0..<200 {
            let entry = Bool.random(using: &random) ? try cursor.next() : try cursor.previousKey()
            if entry == nil { continue }
            if Bool.random(using: &random) { try cursor.delete(allOfKey: Bool.random(using: &random)) }
          }
        }
      }
    case .empty:
      try environment.write { transaction in
        if let words = try transaction.database("words") { try transaction.empty(words) }
      }
    case .copy:
      let copy = folder + "/copy"
      try? removeCopy(copy)
      try environment.copy(to: copy)
    case .drop:
      try environment.write { transaction in
        if let small = try transaction.database("small") { try transaction.drop(small) }
      }
    }
  }

  private func removeCopy(_ path: String) throws {
    unlink(path + "/data.mdb")
    unlink(path + "/lock.mdb")
    rmdir(path)
  }

  /// Looks for keys here and there, and goes on from them in both directions.
  private func find(_ reader: ReadTransaction, _ name: String, _ random: inout Generator) throws {
    guard let database = try reader.database(name) else { return }
    let cursor = try reader.cursor(database)
    for _ in 0..<60 {
      let number = UInt64.random(in: 0..<520, using: &random)
      let text = Array(name == "small" ? "word\(number % 10)".utf8 : "word\(number)".utf8)
      if database.options.contains(.integerKey) {
        _ = try reader.get(number, database)
        _ = try cursor.seek(number)
      } else {
        try withUnsafeBytes(of: number) { bytes in
          try text.withUnsafeBytes { text in
            let key = name == "sets" ? bytes : text
            _ = try reader.get(key, database)
            _ = try cursor.seek(key)
            if database.options.contains(.dupSort) {
              try withUnsafeBytes(of: number &* 700) { _ = try cursor.seek(key, value: name == "sets" ? $0 : text) }
              _ = try cursor.duplicateCount()
            }
          }
        }
      }
      for _ in 0..<Int.random(in: 0..<9, using: &random) {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: _ = try cursor.next()
        case 1: _ = try cursor.previous()
        case 2: _ = try cursor.nextKey()
        case 3: _ = try cursor.previousKey()
        case 4 where database.options.contains(.dupSort): _ = try cursor.nextDuplicate()
        case 5 where database.options.contains(.dupSort): _ = try cursor.previousDuplicate()
        case 6 where database.options.contains(.dupSort): _ = try cursor.lastDuplicate()
        default: _ = try cursor.current()
        }
      }
    }
  }

  /// Removes many entries that lie side by side, so that pages are merged, some of them again and again.
  private func remove(_ transaction: WriteTransaction, _ random: inout Generator) throws {
    guard let log = try transaction.database("log"), let sets = try transaction.database("sets"),
      let words = try transaction.database("words")
    else { return }
    for _ in 0..<4 {
      let first = UInt64.random(in: 0..<300, using: &random)
      let isDown = Bool.random(using: &random)
      for step in UInt64(0)..<UInt64.random(in: 1..<120, using: &random) {
        let number = isDown ? first &- step : first &+ step
        try transaction.delete(number, log)
        try Array("word\(number)".utf8).withUnsafeBytes { _ = try transaction.delete($0, words) }
        try withUnsafeBytes(of: UInt64(0)) { _ = try transaction.delete($0, number &* 11 &* 31, sets) }
        try withUnsafeBytes(of: number) { _ = try transaction.delete($0, sets) }
      }
    }
  }

  private func readAll(_ reader: ReadTransaction, _ name: String) throws {
    guard let database = try reader.database(name) else { return }
    let cursor = try reader.cursor(database)
    var scratch = [UInt8](repeating: 0, count: 1 << 16)
    func touch(_ bytes: UnsafeRawBufferPointer) {
      if let address = bytes.baseAddress { memcpy(&scratch, address, min(bytes.count, scratch.count)) }
    }
    var entry = try cursor.first()
    while let it = entry {
      touch(it.key)
      touch(it.value)
      entry = try cursor.next()
    }
    var previous = try cursor.last()
    while previous != nil { previous = try cursor.previousKey() }
    if database.options == .integerSet, try cursor.first() != nil {
      repeat {
        var run = try cursor.multiple()
        while let it = run {
          touch(it)
          run = try cursor.nextMultiple()
        }
      } while try cursor.nextKey() != nil
    }
  }

  private func changeAll(_ transaction: WriteTransaction) throws {
    let log = try transaction.createDatabase("log", .integerKey)
    let sets = try transaction.createDatabase("sets", .integerSet)
    let words = try transaction.createDatabase("words")
    let value = [UInt8](repeating: 9, count: 600)
    for number in stride(from: UInt64(0), to: 300, by: 7) {
      try value.withUnsafeBytes { try transaction.put(number, $0, log) }
      try transaction.delete(number + 1, log)
      try withUnsafeBytes(of: number % 11) { key in
        try transaction.putDuplicate(key, number, sets)
        try transaction.delete(key, number + 11, sets)
      }
      try Array("word\(number)".utf8).withUnsafeBytes { key in
        try value.prefix(40).withUnsafeBytes { try transaction.put(key, $0, words) }
      }
      try Array("word\(number + 2)".utf8).withUnsafeBytes { _ = try transaction.delete($0, words) }
    }
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw LMDBError.notFound(path: path) }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    guard read(descriptor, &bytes, bytes.count) == bytes.count else { throw LMDBError.notFound(path: path) }
    return bytes
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(descriptor) }
    guard descriptor >= 0, Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw LMDBError.notFound(path: path)
    }
  }
}

/// A generator whose runs can be repeated.
struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
