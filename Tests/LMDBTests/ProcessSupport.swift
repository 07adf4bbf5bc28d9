import Glibc
import LMDB

/// A run of the helper program, which the package builds beside the tests.
final class Helper {
  let pid: pid_t
  private let input: Int32
  private let output: Int32
  private var pending: [UInt8] = []

  /// How a run ended.
  enum End: Equatable {
    case exit(Int32)
    case signal(Int32)
  }

  init(_ arguments: String...) throws {
    var toChild: [Int32] = [0, 0]
    var fromChild: [Int32] = [0, 0]
    guard Self.pipe(&toChild, O_CLOEXEC) == 0, Self.pipe(&fromChild, O_CLOEXEC) == 0 else {
      throw LMDBError.system(errno, doing: "making", path: "a pipe")
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
    posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let words = [Self.path] + arguments
    var pointers = words.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    // A crash that is looked for needs no backtrace.
    var environment = [strdup("SWIFT_BACKTRACE=enable=no"), nil]
    defer { environment.forEach { free($0) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, Self.path, &actions, nil, &pointers, &environment)
    close(toChild[0])
    close(fromChild[1])
    self.pid = pid
    input = toChild[1]
    output = fromChild[0]
    guard code == 0 else { throw LMDBError.system(code, doing: "running", path: Self.path) }
  }

  deinit {
    close(input)
    close(output)
  }

  /// The next line it prints, nil at its end.
  func line() -> String? {
    while true {
      if let end = pending.firstIndex(of: 10) {
        defer { pending.removeSubrange(...end) }
        return String(decoding: pending[..<end], as: UTF8.self)
      }
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = read(output, &buffer, buffer.count)
      if count <= 0 { return nil }
      pending += buffer.prefix(count)
    }
  }

  /// The rest of what it prints.
  func lines() -> [String] {
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    return lines
  }

  /// Lets it go on.
  func goOn() { _ = write(input, "\n", 1) }

  func kill() { _ = Glibc.kill(pid, SIGKILL) }

  func wait() -> End {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status & 0x7f == 0 ? .exit((status >> 8) & 0xff) : .signal(status & 0x7f)
  }

  /// The last line of a whole run.
  static func result(_ arguments: [String]) throws -> String {
    let helper: Helper
    switch arguments.count {
    case 2: helper = try Helper(arguments[0], arguments[1])
    default: helper = try Helper(arguments[0], arguments[1], arguments[2])
    }
    let last = helper.lines().last ?? ""
    let end = helper.wait()
    if case .signal(let number) = end { return "signal \(number)" }
    return last
  }

  /// Glibc's module has no `pipe2`; without it a helper would inherit the pipes of others that start meanwhile.
  private static func pipe(_ ends: UnsafeMutablePointer<Int32>, _ flags: Int32) -> Int32 {
    guard let symbol = dlsym(nil, "pipe2") else { return -1 }
    return unsafeBitCast(symbol, to: (@convention(c) (UnsafeMutablePointer<Int32>, Int32) -> Int32).self)(ends, flags)
  }

  private static let path: String = {
    // Beside the program of the tests.
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let tests = String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
    return (tests.lastIndex(of: "/").map { String(tests[...$0]) } ?? "") + "LMDBTestHelper"
  }()
}
