import Foundation
import Testing

/// What a user can do with a damaged store.
@Suite struct DamagedStoreTests {
  let workshop: Workshop
  let store: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
    let rows = (0..<20_000).map {
      #"{"code":"settlement number \#($0)","size":\#(Double($0) * 0.37),"note":"note \#($0)"}"#
    }
    let file = try workshop.file("towns.jsonl", rows.joined(separator: "\n"))
    let outcome = try Command.run(["import", "--quiet", store, file, "Town", "--key", "code", "--index", "size"])
    #expect(outcome.status == 0, "\(outcome)")
  }

  private var data: URL { URL(fileURLWithPath: store + "/data.mdb") }

  /// Damages the values of `size` in the third cluster.
  private func damageObjects() throws {
    var bytes = [UInt8](try Data(contentsOf: data))
    for start in stride(from: 0, to: bytes.count - 4_096, by: 8)
    where bytes[start..<start + 4].elementsEqual("OSCL".utf8) && bytes[start + 24] == 2 {
      let entry = start + 80 + 48
      let place = Int(bytes[entry + 8]) | Int(bytes[entry + 9]) << 8
      bytes[start + place + 40] ^= 4
    }
    try Data(bytes).write(to: data)
  }

  /// Damages the pages of the index of `size`: leaves of values of eight bytes under keys of nine.
  private func damageIndex() throws {
    var bytes = [UInt8](try Data(contentsOf: data))
    for page in stride(from: 8_192, to: bytes.count - 4_095, by: 4_096) where bytes[page + 10] == 2 {
      let entry = page + Int(bytes[page + 16]) + Int(bytes[page + 17]) << 8
      guard entry < page + 4_080, bytes[entry + 6] == 9, bytes[entry] == 8 else { continue }
      bytes[page + 10] ^= 0xFF
    }
    try Data(bytes).write(to: data)
  }

  /// Leads the records of a database, one for each commit that is in the file, to a root that the file does not have.
  private func damageRecord(of name: String) throws {
    var bytes = [UInt8](try Data(contentsOf: data))
    // A node: the size of its value, flags for a tree, the length of its key, and the key.
    let node: [UInt8] = [48, 0, 0, 0, 2, 0, UInt8(name.utf8.count), 0] + Array(name.utf8)
    for start in 8_192..<bytes.count - 64 where bytes[start..<start + node.count].elementsEqual(node) {
      bytes[start + node.count + 41] ^= 0x80
    }
    try Data(bytes).write(to: data)
  }

  /// What LMDB meets there would end the whole transaction.
  @Test(arguments: ["o1", "i1", "i2", "v1", "changes"]) func aCheckGoesOnAfterAnyDatabase(_ name: String) throws {
    try damageRecord(of: name)
    let outcome = try Command.run(["check", store])
    #expect(outcome.status == 1 && outcome.errors.contains("\(store) is damaged"), "\(outcome)")
    #expect(outcome.output.contains("database \(name)") && !outcome.output.contains("ended"), "\(outcome)")
    // The objects are there in any case but one.
    #expect(outcome.output.contains("20,000 objects") == (name != "o1"), "\(outcome)")
  }

  @Test func salvageNamesWhatIsLost() throws {
    try damageObjects()
    let before = try Data(contentsOf: data)
    let new = workshop.path + "/new"
    let outcome = try Command.run(["salvage", store, new])
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.output.contains("Town: 20,000 objects saved\n"), "\(outcome)")
    #expect(outcome.output.contains("lost: Town 512 to 767, 'size': page"), "\(outcome)")
    #expect(try Data(contentsOf: data) == before)
    #expect(try Command.run(["check", new]).status == 0)
    #expect(try Command.run([new, "COUNT Town WHERE size == nil"]).output == "256\n")
    #expect(try Command.run([new, "COUNT Town WHERE note == 'note 600'"]).output == "1\n")
    let quiet = try Command.run(["salvage", "--quiet", store, workshop.path + "/quiet"])
    #expect(quiet.status == 1 && quiet.errors.contains("not all of"), "\(quiet)")
    #expect(
      quiet.output.hasSuffix(
        "Town: 20,000 objects saved\n\(notes(outcome.output))lost: 1 part, named without --quiet\n"))
    // Nothing is written over.
    #expect(try Command.run(["salvage", store, new]).status == 2)
    #expect(try Command.run(["salvage", workshop.path + "/none", workshop.path + "/x"]).status == 2)
  }

  private func notes(_ output: String) -> String {
    output.split(separator: "\n").filter { $0.hasPrefix("note: ") }.map { $0 + "\n" }.joined()
  }

  /// Objects are numbered from 1.
  @Test func theFirstObjectThatIsLostIsNumberOne() throws {
    var bytes = [UInt8](try Data(contentsOf: data))
    for start in stride(from: 0, to: bytes.count - 4_096, by: 8)
    where bytes[start..<start + 4].elementsEqual("OSCL".utf8) && bytes[start + 24..<start + 32].allSatisfy({ $0 == 0 })
    {
      bytes[start + 80] ^= 0xFF
    }
    try Data(bytes).write(to: data)
    let outcome = try Command.run(["salvage", store, workshop.path + "/new"])
    #expect(outcome.status == 1 && outcome.output.contains("lost: Town 1 to 255: page "), "\(outcome)")
  }

  @Test func aLostLongValueIsNamedWithItsPage() throws {
    let long = String(repeating: "very long text ", count: 2_000)
    let file = try workshop.file("long.jsonl", "{\"n\":1,\"text\":\"\(long)\"}\n{\"n\":2,\"text\":\"short\"}\n")
    let place = workshop.path + "/long"
    #expect(try Command.run(["import", "--quiet", place, file, "Letter"]).status == 0)
    let data = URL(fileURLWithPath: place + "/data.mdb")
    var bytes = try Data(contentsOf: data)
    let found = try #require(bytes.range(of: Data(long.utf8.prefix(1_000))))
    bytes[found.lowerBound + 10] ^= 1
    try bytes.write(to: data)
    let outcome = try Command.run(["salvage", place, workshop.path + "/new"])
    let first = found.lowerBound / 4_096
    #expect(
      outcome.output.contains(
        "lost: Letter 1, 'text': pages \(first) to \(first + (found.lowerBound % 4_096 + 29_999) / 4_096): "),
      "\(outcome)")
  }

  @Test func aWholeStoreLosesNothing() throws {
    let outcome = try Command.run(["salvage", store, workshop.path + "/new"])
    #expect(outcome.status == 0 && outcome.output == "Town: 20,000 objects saved\n", "\(outcome)")
  }

  /// What a script must know is said also where it is told to be quiet.
  @Test func salvageSaysThatTheLastCommitMayBeMissing() throws {
    var bytes = [UInt8](try Data(contentsOf: data))
    let newest = bytes[144] > bytes[4_096 + 144] ? 0 : 4_096
    for place in newest..<newest + 200 { bytes[place] = 0xA5 }
    try Data(bytes).write(to: data)
    let outcome = try Command.run(["salvage", "--quiet", store, workshop.path + "/new"])
    #expect(outcome.status == 1 && outcome.errors.contains("the last changes of \(store) may be missing"), "\(outcome)")
    #expect(outcome.output.contains("a meta page, is damaged: this is commit"), "\(outcome)")
  }

  /// A dump is made in a temporary folder, of which nobody knows.
  @Test func aDumpThatHasNoRoomNamesItsFolder() throws {
    let folder = workshop.path + "/dump"
    let script = "ulimit -f 500; exec \"$0\" \"$1\" \".dump $2\""
    let shell = URL(fileURLWithPath: "/bin/sh")
    let outcome = try Command.run(shell, ["-c", script, try Command.binary().path, store, folder])
    #expect(outcome.status == 1 && outcome.errors.contains("cannot write \(folder)/Town.jsonl: "), "\(outcome)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: workshop.path).allSatisfy { !$0.contains("dump") })
  }

  /// There is no store yet whose last commit could be intact.
  @Test(arguments: ["backup", "salvage"]) func aCopyThatHasNoRoomIsNoStore(_ command: String) throws {
    let (room, other) = (workshop.path + "/room", workshop.path + "/other")
    try FileManager.default.createDirectory(atPath: room, withIntermediateDirectories: true)
    #expect(try Command.run(["backup", store, other]).status == 0)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: other + "/data.mdb")).count
    // Room for the copy itself is not enough to open it for checking.
    for size in [256 << 10, bytes + (32 << 10)] where command == "backup" || size < bytes {
      let inner = """
        mount -t tmpfs -o size=\(size) none "$2" || exit 99
        "$0" $3 "$1" "$2/copy"; status=$?; ls -A "$2"; exit $status
        """
      let outcome = try Command.run(
        URL(fileURLWithPath: "/bin/sh"),
        ["-c", "exec unshare -rm /bin/sh -c '\(inner)' \"$@\"", "sh", try Command.binary().path, store, room, command])
      // 1 is also what `unshare` leaves with.
      guard outcome.status != 99, !outcome.errors.contains("unshare") else {
        return print("SKIPPED: a full disk: no right to mount one: \(outcome.errors)")
      }
      #expect(outcome.status == (command == "salvage" ? 2 : 1) && outcome.output.isEmpty, "\(size): \(outcome)")
      #expect(outcome.errors.contains("'\(room)/copy'"), "\(size): \(outcome)")
      #expect(outcome.errors.contains("there is no room to make a store; free some space and try again"), "\(outcome)")
    }
  }

  @Test func aDumpSavesTheRest() throws {
    try damageObjects()
    let folder = workshop.path + "/dump"
    let outcome = try Command.run([store, ".dump \(folder)"])
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.errors.contains("lost: Town 512 to 767, 'size'"), "\(outcome)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["Town.jsonl", "schema.swift"])
    let read = workshop.path + "/read"
    let imported = try Command.run(["import", "--quiet", read, folder])
    #expect(imported.status == 0, "\(imported)")
    #expect(try Command.run([read, "COUNT Town"]).output == "20000\n")
    #expect(try Command.run([read, "COUNT Town WHERE size != nil"]).output == "19744\n")
  }

  @Test func aBackupIsCheckedAndAnOlderOneKept() throws {
    let copy = workshop.path + "/copy"
    #expect(try Command.run(["backup", store, copy]).status == 0)
    #expect(try Command.run(["backup", store, copy]).status == 1)
    #expect(try Command.run([store, "--yes", "-c", "DELETE Town WHERE size < 1"]).status == 0)
    let replaced = try Command.run(["backup", "--overwrite", store, copy])
    #expect(replaced.status == 0, "\(replaced)")
    #expect(try Command.run([copy, "COUNT Town"]).output == "19997\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: workshop.path).allSatisfy { !$0.contains(".new-") })
    try damageObjects()
    let refused = try Command.run(["backup", "--overwrite", store, copy])
    #expect(refused.status == 1 && refused.errors.contains("Town cluster 2"), "\(refused)")
    #expect(try Command.run(["check", copy]).status == 0)
    #expect(try Command.run(["backup", "--overwrite", "--no-verify", store, copy]).status == 0)
    #expect(try Command.run(["check", copy]).status == 1)
    // Nothing but a copy is replaced, and a store not by itself.
    let other = workshop.path + "/other"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    _ = try workshop.file("other/data.mdb", "x")
    _ = try workshop.file("other/letter", "dear")
    #expect(try Command.run(["backup", "--overwrite", "--no-verify", store, other]).status == 1)
    #expect(try workshop.text("other/letter") == "dear")
    #expect(try Command.run(["backup", "--overwrite", "--no-verify", store, store]).status == 1)
  }

  /// Nobody is sent to salvage objects that are intact.
  @Test func whereOnlyAnIndexIsDamagedTheNextStepIsToBuildItAnew() throws {
    try damageIndex()
    let copy = workshop.path + "/copy"
    for words in [["backup", store, copy], ["compact", store]] {
      let outcome = try Command.run(words)
      #expect(
        outcome.status == 1 && outcome.errors.contains("only indexes are damaged (Town.size)")
          && outcome.errors.contains("objquery reindex") && !outcome.errors.contains("salvage"), "\(outcome)")
    }
    #expect(!FileManager.default.fileExists(atPath: copy))
    let check = try Command.run(["check", store])
    #expect(check.status == 1 && check.output.contains("damaged: Town, the index size: "), "\(check)")
    #expect(check.errors.contains("objquery reindex") && !check.errors.contains("salvage"), "\(check)")
    // With objects damaged too, that is no help.
    let whole = try Data(contentsOf: data)
    try damageObjects()
    for words in [["backup", store, copy], ["compact", store]] {
      #expect(try Command.run(words).errors.contains("objquery salvage"), "\(words)")
    }
    let both = try Command.run(["check", store]).errors
    #expect(both.contains("objquery reindex") && both.contains("objquery salvage"), "\(both)")
    let refused = try Command.run(["reindex", store])
    #expect(refused.status == 1 && refused.errors.contains("objquery salvage"), "\(refused)")
    try whole.write(to: data)
    #expect(try Command.run(["reindex", store]).errors == "built @indexed Town.size\n")
    for words in [["backup", store, copy], ["compact", store]] {
      #expect(try Command.run(words).status == 0, "\(words)")
    }
    // Where only objects are damaged, reindex says that something is.
    try damageObjects()
    let objects = try Command.run(["check", store]).errors
    #expect(!objects.contains("reindex") && objects.contains("objquery salvage"), "\(objects)")
    let nothing = try Command.run(["reindex", store]).errors
    #expect(nothing.hasPrefix("no index is damaged\nsomething else is damaged: objquery check says what"), "\(nothing)")
  }

  @Test func aDamagedIndexIsBuiltAnew() throws {
    try damageIndex()
    let bad = try Command.run([store, "--no-bail", "COUNT Town WHERE size < 2", "COUNT Town WHERE size < 2"])
    #expect(bad.output == "6\n" && bad.status == 1, "\(bad)")
    #expect(bad.errors.contains("warning: @indexed Town.size is damaged and not used"), "\(bad)")
    let added = try Command.run([store, "INSERT Town {\"code\":\"new\",\"size\":1.5,\"note\":\"\"}"])
    #expect(added.status == 0, "\(added)")
    let built = try Command.run(["reindex", store])
    #expect(built.status == 0 && built.errors == "built @indexed Town.size\n", "\(built)")
    #expect(try Command.run([store, "COUNT Town WHERE size < 2"]).output == "7\n")
    #expect(try Command.run(["check", store]).status == 0)
    let nothing = try Command.run(["reindex", store])
    #expect(nothing.status == 0 && nothing.errors == "no index is damaged\n", "\(nothing)")
    let named = try Command.run([store, ".reindex Town.code"])
    #expect(named.status == 0 && named.errors == "built @unique Town.code\n", "\(named)")
    #expect(try Command.run(["reindex", store, "Town.sise"]).errors.contains("did you mean Town.size?"))
  }
}
