import Foundation
import TestSeeds
import Testing

/// Nothing grows in a process that opens, asks and writes for a long time. `LOOP_SECONDS` says for how long; in a few
/// seconds memory has not settled, so that more growth is allowed.
@Suite struct LongLoopTests {
  @Test func nothingGrows() throws {
    let asked = ProcessInfo.processInfo.environment["LOOP_SECONDS"].flatMap(Int.init)
    let folder = try TemporaryFolder()
    let growth = asked == nil ? 100 : 20
    let outcome = try EnduranceHelper.run(["loop", folder.path("notes"), "\(asked ?? 3)", "\(testSeed())", "\(growth)"])
    #expect(outcome.status == 0, "\(outcome.output)")
    print(outcome.output)
  }
}
