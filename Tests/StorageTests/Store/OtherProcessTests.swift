import Glibc
import Schema
import Storage
import Testing
import Values

/// Several processes on one store: commits and changes of the schema by others are seen, and a writer that dies is undone.
@Suite(.serialized) struct OtherProcessTests {
  private static let schema = Schema.only(
    "Note", [.scalar("text", .string), .scalar("size", .int)], indexes: [Index(paths: ["size"])])

  @Test func commitsOfOthersAreSeen() throws {
    let folder = try StoreFolder()
    let file = try folder.open(Self.schema)
    try file.insert([[.string("own"), .int(1)]], into: "Note")
    let before = file.currentVersion
    let snapshot = try file.beginSnapshot()
    try Helper.run([folder.store, "insert", "700"])
    #expect(file.currentVersion == before + 1)
    #expect(try snapshot.objectCount(try file.entity("Note")) == 1)
    snapshot.end()
    #expect(try file.rows("Note").count == 701)
    try file.insert([[.string("own"), .int(2)]], into: "Note")
    #expect(try file.rows("Note").keys.max() == 702)
    try file.expectWhole()
  }

  @Test func changesOfTheSchemaByOthersAreSeenAndKept() throws {
    let folder = try StoreFolder()
    let file = try folder.open(Self.schema)
    try file.insert([[.string("own"), .int(1)]], into: "Note")
    try Helper.run([folder.store, "declare"])
    #expect(try file.entity("Note").columns.map(\.path) == ["text", "size", "place"])
    #expect(try file.rows("Note")[1] == [.string("own"), .int(1), .string("nowhere")])
    try file.insert([[.string("own"), .int(2), .string("here")]], into: "Note")
    #expect(try file.indexed("place", of: "Note") == [2, 1])
    // Opening with the older models takes nothing away.
    _ = try folder.open(Self.schema)
    #expect(try file.entity("Note").columns.count == 3)
    try file.expectWhole()
  }

  @Test func aWriterThatDiesLeavesNoTrace() throws {
    let folder = try StoreFolder()
    let file = try folder.open(Self.schema)
    try file.insert([[.string("own"), .int(1)]], into: "Note")
    let helper = try Helper([folder.store, "hold"])
    #expect(try helper.line() == "holding")
    let error = #expect(throws: StoreError.self) { try file.write(timeout: .milliseconds(50)) { _ in } }
    guard case .busy(let writer?) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(writer.processID == helper.process)
    #expect(try file.rows("Note").count == 1)
    helper.kill()
    try file.insert([[.string("own"), .int(2)]], into: "Note")
    #expect(try file.rows("Note").keys.sorted() == [1, 2])
    try file.expectWhole()
  }
}

/// The helper at work in another process.
final class Helper {
  private(set) var process: pid_t = 0
  private var output: UnsafeMutablePointer<FILE>?

  init(_ arguments: [String]) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw StoreError.io(path: "helper", reason: "no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    var words = ([Self.path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var surroundings: [UnsafeMutablePointer<CChar>?] = [nil]
    let code = posix_spawn(&process, Self.path, &actions, nil, &words, &surroundings)
    close(ends[1])
    guard code == 0 else {
      close(ends[0])
      throw StoreError.io(path: Self.path, reason: String(cString: strerror(code)))
    }
    output = fdopen(ends[0], "r")
  }

  deinit {
    kill()
    if let output { fclose(output) }
  }

  /// Runs it to its end, which must be a good one.
  static func run(_ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let helper = try Helper(arguments)
    var said = ""
    while let line = try helper.line() { said += line }
    var status: Int32 = 0
    waitpid(helper.process, &status, 0)
    helper.process = 0
    #expect(status == 0, "\(said)", sourceLocation: sourceLocation)
  }

  /// The next line it prints; nil at the end.
  func line() throws -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    guard let output, fgets(&buffer, Int32(buffer.count), output) != nil else { return nil }
    return String(decoding: buffer.prefix { $0 != 10 && $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func kill() {
    guard process > 0 else { return }
    var status: Int32 = 0
    _ = Glibc.kill(process, SIGKILL)
    waitpid(process, &status, 0)
    process = 0
  }

  /// Beside the program that runs the tests.
  private static let path: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let program = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return program.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/StorageTestHelper"
  }()
}
