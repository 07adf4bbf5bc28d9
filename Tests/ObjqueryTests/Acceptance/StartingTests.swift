import Foundation
import Testing

@Suite struct StartingTests {
  /// Foundation and what it keeps of all languages take longer to load than all the rest.
  @Test func startingLoadsOnlyTheEssentialsOfFoundation() throws {
    let asked = try Command.run(
      URL(fileURLWithPath: "/usr/bin/env"), ["LD_TRACE_LOADED_OBJECTS=1", try Command.binary().path])
    let libraries = asked.output.split(separator: "\n").compactMap { $0.split(whereSeparator: \.isWhitespace).first }
    #expect(libraries.contains { $0.hasPrefix("liblmdb.so") })
    #expect(libraries.filter { $0.contains("Foundation") && $0 != "libFoundationEssentials.so" } == [])
  }

  /// Ctrl-C where nobody types: the process leaves by itself, and says so by its status, even when it was started with
  /// the signal blocked, as it is here.
  @Test func interruptsEndIt() throws {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = try Command.binary()
    process.arguments = ["-c", "BEGIN; .mode", "-f", "-"]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // What it has written, it has written with its ears open; now it waits for statements.
    #expect(output.fileHandleForReading.availableData == Data("jsonl\n".utf8))
    process.interrupt()
    for _ in 0..<300 where process.isRunning { usleep(100_000) }
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 130)
  }
}
