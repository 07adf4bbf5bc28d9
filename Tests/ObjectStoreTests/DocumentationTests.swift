import Foundation
import Testing

/// Every page of the documentation, and the front page, compiles as one program, runs, and prints what it says that it prints.
@Suite struct DocumentationTests {
  @Test(arguments: DocumentationPage.all) func itsBlocksRunTogether(_ page: DocumentationPage) throws {
    guard let compiler = Compiler() else {
      print("SKIPPED: no swiftc, or no built macros beside the tests")
      return
    }
    let (text, isDone) = try compiler.output(of: page.source, isStrict: !page.hasRowsOfSwift)
    #expect(isDone, "\(text)")
    var lines = text.split(separator: "\n").map(String.init)[...]
    for line in page.printed {
      let place = lines.firstIndex(of: line)
      #expect(place != nil, "\(page.name) does not print '\(line)' in its turn, but:\n\(text)")
      lines = lines[(place.map { $0 + 1 } ?? lines.startIndex)...]
    }
  }

  @Test func thePagesAreFound() {
    #expect(DocumentationPage.all.count >= 14)
    #expect(DocumentationPage.all.map(\.omitted).reduce(0, +) <= 3)
    #expect(DocumentationPage.all.flatMap(\.printed).count >= 30)
  }

  /// What a page leads to is there, and the landing page leads to every article.
  @Test func linksLeadSomewhere() {
    var named: Set<String> = []
    for (page, text) in DocumentationPage.texts {
      for link in text.matches(of: /<doc:(\w+)>/) {
        #expect(DocumentationPage.texts[String(link.1)] != nil, "\(page) leads to \(link.1)")
        if page == "ObjectStore" { named.insert(String(link.1)) }
      }
      guard page == "README" else { continue }
      for link in text.matches(of: /\]\(([^):#]+)\)/) {
        let file = DocumentationPage.root.appendingPathComponent(String(link.1))
        #expect(FileManager.default.fileExists(atPath: file.path), "README leads to \(link.1)")
      }
    }
    let articles = Set(DocumentationPage.texts.keys).subtracting(["ObjectStore", "README"])
    #expect(named == articles, "\(articles.symmetricDifference(named))")
  }

  /// The figures of the front page are those of the page with every row.
  @Test func figuresAreThoseMeasured() throws {
    let measured = try #require(DocumentationPage.texts["Measured"]).split(separator: "\n").filter {
      $0.hasPrefix("| ")
    }
    .map { DocumentationPage.cells(of: $0) }
    let rows = try #require(DocumentationPage.texts["README"]).split(separator: "\n").filter { $0.hasPrefix("  | ") }
      .dropFirst(2).map { DocumentationPage.cells(of: $0.dropFirst(2)) }
    #expect(rows.count >= 3)
    for row in rows {
      #expect(measured.contains { $0.count > row.count && Array($0.prefix(row.count)) == row }, "\(row)")
      #expect(row.count >= 5)
    }
  }

  /// The manifest that is shown is one that the package manager reads.
  @Test func manifestsAreRead() throws {
    let manifests = DocumentationPage.all.flatMap(\.manifests)
    #expect(!manifests.isEmpty)
    for manifest in manifests {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("manifest-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      try manifest.write(to: folder.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["swift", "package", "--package-path", folder.path, "dump-package"]
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0 && text.contains("\"ObjectStore\""), "\(text)")
    }
  }
}
