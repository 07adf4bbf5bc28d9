import ArgumentParser
import TestSeeds
import Testing

@testable import objquery

@Suite struct UsualWordsTests {
  /// Words that mean something, and words that only look as if they did.
  private static let words =
    """
    store A B - -- -5 -c --command -f --file -p --param --arg a=1 a:int=2 a:money=1 9=1 --readonly --safe -m json --mode \
    --limit 3 --help help import check -cA --command=A --nonsense --no-bail --version Ü --arg=1 -pa=1 \
    --generate-completion-script
    """
    .split(separator: " ").map(String.init) + [""] + OutputMode.allCases.map { "--" + $0.rawValue }

  @Test func nothingIsReadOtherwiseThanByTheParser() {
    let seed = testSeed()
    var random = SeededNumbers(seed)
    var read = 0
    while read < 60 {
      let count = Int.random(in: 0...6, using: &random)
      let words = (0..<count).map { _ in Self.words.randomElement(using: &random) ?? "" }
      guard let request = ShellRequest(usual: words) else { continue }
      read += 1
      let parsed = try? (ShellCommand.parseAsRoot(words) as? ShellCommand)?.request()
      #expect(parsed == request, "seed \(seed): \(words)")
    }
  }

  @Test func whatIsUsualIsRead() throws {
    for words in [
      [], ["store"], ["store", "-c", "A", "-f", "B", "C"], ["store", "--json", "-p", "a=1", "-c", "A /* -- */"],
      ["--readonly", "store", "--arg", "-5", "A"],
    ] {
      let command = try #require(try ShellCommand.parseAsRoot(words) as? ShellCommand)
      #expect(ShellRequest(usual: words) == (try command.request()), "\(words)")
    }
  }
}
