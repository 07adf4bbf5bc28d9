import Foundation

/// `swiftc` with the macros and modules that were built beside the tests.
struct Compiler {
  struct Message {
    var line: Int
    var message: String
  }

  let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private let build = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  private let compiler: URL

  /// nil when there is no compiler, or no built macros beside the tests.
  init?() {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    guard
      let compiler = folders.map({ URL(fileURLWithPath: "\($0)/swiftc") })
        .first(where: { FileManager.default.isExecutableFile(atPath: $0.path) })
    else { return nil }
    self.compiler = compiler
    guard FileManager.default.isExecutableFile(atPath: tool.path) else { return nil }
  }

  private var tool: URL { build.appendingPathComponent("ObjectStoreMacros-tool") }

  /// The errors and warnings in a source; those in macro expansions at the line of the macro.
  func diagnostics(of source: String) throws -> [Message] {
    try withFile(source) { file in messages(try check(file), about: file.path) }
  }

  /// All that is said of a source, with places, lines and fixes, as `main.swift`.
  func picture(of source: String) throws -> String {
    try withFile(source) { file in try check(file).replacingOccurrences(of: file.path, with: "main.swift") }
  }

  /// What is said of the files of a module, without making a program. The files are `File0.swift` and so on.
  func problems(of sources: [String], options: [String] = []) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("checked-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var files: [String] = []
    for (number, source) in sources.enumerated() {
      let file = folder.appendingPathComponent("File\(number).swift")
      try source.write(to: file, atomically: true, encoding: .utf8)
      files.append(file.path)
    }
    return try run(
      compiler,
      ["-typecheck", "-wmo", "-parse-as-library", "-module-name", "Examples"] + options + arguments + files
    ).text
  }

  private func check(_ file: URL) throws -> String {
    try run(compiler, ["-typecheck", "-diagnostic-style", "llvm"] + arguments + [file.path]).text
  }

  /// What a program prints that is compiled and run in an empty folder; what the compiler says where it can't be.
  ///
  /// - Parameter isStrict: Whether a warning is an error.
  func output(of source: String, isStrict: Bool = false) throws -> (text: String, isDone: Bool) {
    try withFile(source) { file in
      let program = file.deletingPathExtension()
      let compiled = try compile([file.path], to: program, isStrict: isStrict)
      guard compiled.isDone else { return compiled }
      return try run(program, [], in: file.deletingLastPathComponent())
    }
  }

  /// Makes a program of files of Swift; what the compiler says.
  func compile(_ files: [String], to program: URL, isStrict: Bool) throws -> (text: String, isDone: Bool) {
    let modules = [
      "ObjectStore", "ObjectStoreCore", "SortDescriptors", "QueryEngine", "Storage", "LMDB", "Schema",
      "PredicateLanguage", "Diagnostics", "Values", "CKernels", "CSystem", "CRE2",
    ]
    let objects = modules.flatMap { module in
      let folder = build.appendingPathComponent("\(module).build")
      let files = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
      return files.filter { $0.hasSuffix(".o") }.map { folder.appendingPathComponent($0).path }
    }
    let options = (isStrict ? ["-warnings-as-errors"] : []) + ["-o", program.path]
    return try run(
      compiler, arguments + files + options + objects + ["-llmdb", "-lxxhash", "-lre2", "-lstdc++"])
  }

  private var arguments: [String] {
    var arguments = ["-swift-version", "6", "-I", build.appendingPathComponent("Modules").path]
    arguments += ["-load-plugin-executable", "\(tool.path)#ObjectStoreMacros"]
    let maps =
      ["Sources/CLMDB", "Sources/CXXHash"].map { root.appendingPathComponent($0) }
      + ["CRE2.build", "CKernels.build", "CSystem.build"].map { build.appendingPathComponent($0) }
    for map in maps {
      arguments += ["-Xcc", "-fmodule-map-file=\(map.appendingPathComponent("module.modulemap").path)"]
    }
    for name in ["CRE2", "CKernels", "CSystem"] {
      arguments += ["-Xcc", "-I\(root.appendingPathComponent("Sources/\(name)/include").path)"]
    }
    return arguments
  }

  /// Writes a source to a file in a folder of its own for the time of `body`.
  private func withFile<R>(_ source: String, _ body: (URL) throws -> R) throws -> R {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("compiled-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("main.swift")
    try source.write(to: file, atomically: true, encoding: .utf8)
    return try body(file)
  }

  /// What a program prints, errors too, and whether it ended well.
  func run(
    _ program: URL, _ arguments: [String], in folder: URL? = nil
  ) throws -> (text: String, isDone: Bool) {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = folder }
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (String(decoding: data, as: UTF8.self), process.terminationStatus == 0)
  }

  private func messages(_ text: String, about path: String) -> [Message] {
    var messages: [Message] = []
    var inExpansion: [String] = []
    for line in text.split(separator: "\n") {
      // `path:line:column: error: message`, and for an error in an expansion a note where the macro was written.
      let parts = line.split(separator: ":", maxSplits: 4).map(String.init)
      guard parts.count == 5, let number = Int(parts[1]) else { continue }
      if parts[0] != path {
        if parts[3].contains("error") { inExpansion.append(parts[4]) }
      } else if parts[3].contains("note"), parts[4].contains("in expansion of macro") {
        messages += inExpansion.map { Message(line: number, message: $0) }
        inExpansion = []
      } else {
        messages.append(Message(line: number, message: parts[4]))
      }
    }
    return messages
  }
}
