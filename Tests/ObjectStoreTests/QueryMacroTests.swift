import Foundation
import ObjectStore
import Testing

@Suite struct QueryMacroTests {
  @Test func aTextIsReadByTheCompiler() throws {
    let plain = #query<Quake>("magnitude > 5 AND code BEGINSWITH 'us'")
    #expect(try plain == Query("magnitude > 5 AND code BEGINSWITH 'us'"))
    let least = 5.5
    let filled = #query<Quake>("magnitude > %@ AND code != %@", least, "x")
    #expect(try filled == Query("magnitude > %@ AND code != %@", least, "x"))
    let inferred: Query<Quake> = #query("magnitude > $min")
    #expect(try inferred.bind(["min": 5]) == Query("magnitude > 5"))
  }
}
