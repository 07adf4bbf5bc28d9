import Foundation
import Testing

/// Statements typed at a terminal.
@Suite struct TerminalTests {
  /// A terminal with `objquery` on it, and all it has shown so far.
  final class Terminal {
    private let master: CInt
    private let process = Process()
    private var shown: [UInt8] = []

    var processID: pid_t { process.processIdentifier }

    init(_ arguments: [String], state: String, environment: [String: String] = [:]) throws {
      master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var size = winsize(ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
      // TIOCSPTLCK and TIOCGPTN: what unlockpt and ptsname do, which Glibc's module does not show.
      var unlocked: CInt = 0
      var number: CInt = 0
      guard master >= 0, ioctl(master, 0x4004_5431, &unlocked) == 0, ioctl(master, 0x8004_5430, &number) == 0,
        ioctl(master, UInt(TIOCSWINSZ), &size) == 0
      else { throw POSIXError(.ENXIO) }
      let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
      let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      process.executableURL = URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent(
        "objquery")
      process.arguments = arguments
      process.environment = ["TERM": "xterm", "XDG_STATE_HOME": state, "PAGER": "cat", "LC_ALL": "C", "NO_COLOR": "1"]
        .merging(environment) { $1 }
      let end = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
      process.standardInput = end
      process.standardOutput = end
      process.standardError = end
      try process.run()
    }

    deinit {
      if process.isRunning { process.terminate() }
      close(master)
    }

    /// Waits until `text` was shown after what was waited for before; false when it isn't within half a minute.
    func wait(for text: String) -> Bool {
      for _ in 0..<300 {
        let all = String(decoding: shown, as: UTF8.self)
        if let found = all.range(of: text) {
          shown = Array(all[found.upperBound...].utf8)
          return true
        }
        var descriptor = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, 100) > 0 else { continue }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(master, &bytes, bytes.count)
        guard count > 0 else { return false }
        shown += bytes[0..<count]
      }
      return false
    }

    /// What the terminal does for Ctrl-C while a statement runs: it is not the one that the process belongs to.
    func interrupt() { process.interrupt() }

    func type(_ text: String) {
      let bytes = Array(text.utf8)
      _ = write(master, bytes, bytes.count)
    }

    /// The exit status, once it has left; nil when it doesn't within half a minute.
    func status() -> CInt? {
      for _ in 0..<300 where process.isRunning { usleep(100_000) }
      return process.isRunning ? nil : process.terminationStatus
    }
  }

  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func store(_ count: Int = 40) throws -> String {
    let store = workshop.path + "/quakes"
    let rows = (0..<count).map { "{\"mag\":\($0),\"place\":\"p\($0)\"}" }.joined(separator: "\n")
    let outcome = try Command.run(["import", "--quiet", store, try workshop.file("q.jsonl", rows), "Quake"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return store
  }

  @Test func aSession() throws {
    let terminal = try Terminal([try store()], state: workshop.path + "/state")
    #expect(terminal.wait(for: "quakes> "))
    terminal.type("COUNT Qu\t\n")
    #expect(terminal.wait(for: "40\r\n"), "Tab completes the entity")
    #expect(terminal.wait(for: "quakes> "))
    terminal.type("Quake WHERE mag > 37 AND\n")
    #expect(terminal.wait(for: "...> "), "a statement spans lines")
    terminal.type("mag < 39 SELECT place\n")
    #expect(terminal.wait(for: "│ p38   │") && terminal.wait(for: "1 object\r\n"))
    #expect(terminal.wait(for: "quakes> "))
    terminal.type("nonsense\u{3}")
    #expect(terminal.wait(for: "^C") && terminal.wait(for: "quakes> "), "Ctrl-C drops the line")
    terminal.type("COUNT Quake WHERE magn > 1\n")
    #expect(terminal.wait(for: "error[unknown-property]") && terminal.wait(for: "^^^^"))
    #expect(terminal.wait(for: "quakes> "))
    terminal.type(".use Quake\n")
    #expect(terminal.wait(for: "quakes:Quake> "))
    terminal.type("place == 'é'\n")
    #expect(terminal.wait(for: "0 objects") && terminal.wait(for: "quakes:Quake> "), "UTF-8 is read in every locale")
    terminal.type("\u{4}")
    #expect(terminal.status() == 0, "Ctrl-D leaves, and errors on the way are no failure")
    let history = try String(contentsOfFile: workshop.path + "/state/objquery/history", encoding: .utf8)
    #expect(history.contains("COUNT") && !history.contains("nonsense"))
  }

  @Test func transactionsAndQuestions() throws {
    let terminal = try Terminal([try store()], state: workshop.path + "/state")
    #expect(terminal.wait(for: "quakes> "))
    terminal.type("BEGIN\n")
    #expect(terminal.wait(for: "quakes*> "), "the prompt shows the transaction")
    terminal.type("DELETE Quake\n")
    #expect(terminal.wait(for: "Delete all 40 objects of Quake? [y/N] "))
    terminal.type("n\n")
    #expect(terminal.wait(for: "nothing was changed") && terminal.wait(for: "quakes*> "))
    terminal.type("DELETE Quake\n")
    #expect(terminal.wait(for: "[y/N] "))
    terminal.type("y\n")
    #expect(terminal.wait(for: "40 objects deleted") && terminal.wait(for: "quakes*> "))
    terminal.type("COUNT Nothing\n")
    #expect(terminal.wait(for: "error[unknown-entity]") && terminal.wait(for: "quakes*> "), "a mistake does not end it")
    terminal.type("ROLLBACK\n")
    #expect(terminal.wait(for: "quakes> "))
    terminal.type("COUNT Quake\n")
    #expect(terminal.wait(for: "40\r\n") && terminal.wait(for: "quakes> "))
    terminal.type("BEGIN\n")
    #expect(terminal.wait(for: "quakes*> "))
    terminal.type("\u{4}")
    #expect(terminal.wait(for: "the transaction was still open"))
    #expect(terminal.status() == 0)
  }

  @Test func tallResultsGoThroughThePager() throws {
    let terminal = try Terminal([try store()], state: workshop.path + "/state")
    #expect(terminal.wait(for: "quakes> "))
    terminal.type("Quake\n")
    #expect(terminal.wait(for: "│  39 │ p39   │") && terminal.wait(for: "40 objects"))
    #expect(terminal.wait(for: "quakes> "))
    terminal.type(".quit\n")
    #expect(terminal.status() == 0)
  }

  @Test func longResultsAreShownInPart() throws {
    let store = try store(1_100)
    let terminal = try Terminal([store], state: workshop.path + "/state")
    #expect(terminal.wait(for: "quakes> "))
    terminal.type("Quake\n")
    #expect(terminal.wait(for: "│   19 │ p19   │\r\n… 1,060 more (.all, or LIMIT)"))
    #expect(terminal.wait(for: "\r\n│ 1080 │ p1080 │") && terminal.wait(for: "p1099 │"))
    #expect(terminal.wait(for: "1,100 objects") && terminal.wait(for: "quakes> "))
    terminal.type("Quake WHERE mag < 1000 SORT BY mag DESC SELECT mag\n")
    #expect(terminal.wait(for: "│ 980 │\r\n… 960 more (.all, or LIMIT)\r\n│  19 │"))
    terminal.type(".maxrows 3\n")
    terminal.type("Quake SECTIONS BY mag > 500\n")
    #expect(terminal.wait(for: "… 1,097 more (.all, or LIMIT)") && terminal.wait(for: "1,100 objects"))
    terminal.type(".all\n")
    #expect(terminal.wait(for: "p600") && terminal.wait(for: "1,100 objects"))
    terminal.type(".mode line\nQuake\n")
    #expect(terminal.wait(for: "\r\n… 1,097 more (.all, or LIMIT)\r\n"))
    terminal.type(".mode csv\nQuake\n")
    #expect(terminal.wait(for: "500,p500"), "formats for programs are never shown in part")
    terminal.type(".maxrows 0\n.mode box\nQuake\n")
    #expect(terminal.wait(for: "│  500 │ p500"))
    terminal.type(".quit\n")
    #expect(terminal.status() == 0)

    let direct = try Terminal([store, "--max-rows", "2", "-c", "Quake"], state: workshop.path + "/state")
    #expect(direct.wait(for: "… 1,098 more (--max-rows 0, or LIMIT)") && direct.wait(for: "p1099"))
    let piped = try Command.run([store, "--box", "--max-rows", "2", "-c", "Quake"])
    #expect(piped.output.contains("p500") && !piped.output.contains("more"), "pipes get all rows")
  }

  @Test func nilIsDimmed() throws {
    let store = try store()
    let terminal = try Terminal([store], state: workshop.path + "/state", environment: ["NO_COLOR": ""])
    #expect(terminal.wait(for: "quakes> "))
    terminal.type("Quake LIMIT 1 SELECT nil AS none, 'nil' AS word\n")
    #expect(terminal.wait(for: "│ \u{1B}[2mnil\u{1B}[0m  │ \"nil\" │"))
  }
}
