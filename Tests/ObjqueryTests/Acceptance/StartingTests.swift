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
}
