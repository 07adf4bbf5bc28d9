import Glibc
import Testing

/// What fuzzing learned and found, run again by every build without its sanitizers: see `Tools/fuzz`.
@Suite struct FuzzCorpusTests {
  @Test func everyTextOfTheCorpus() throws {
    let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/Fuzzing/Corpus/language"
    let names = Self.files(in: folder)
    try #require(names.count > 10, "the corpus is not at \(folder)")
    for name in names {
      let text = try #require(GoldenScript.read("\(folder)/\(name)"))
      if let violation = LanguageProperties.violation(text) { Issue.record("\(name): \(violation)") }
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
