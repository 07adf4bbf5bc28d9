import Glibc
import Testing

/// What fuzzing learned and found about schema text, run again by every build: see `Tools/fuzz`.
@Suite struct SchemaFuzzCorpusTests {
  @Test func everyTextOfTheCorpus() throws {
    let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/Fuzzing/Corpus/schema"
    let names = Self.files(in: folder)
    try #require(names.count > 10, "the corpus is not at \(folder)")
    for name in names {
      let text = try #require(read("\(folder)/\(name)"))
      if let violation = SchemaProperties.violation(text) { Issue.record("\(name): \(violation)") }
    }
  }

  private static func files(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}
