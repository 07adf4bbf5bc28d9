import Foundation

/// The built `objquery`, run as a user runs it.
enum Command {
  /// What a run left behind.
  struct Outcome {
    var status: Int32
    var output: String
    var errors: String
  }

  /// The package's folder.
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Real data beside the package, or where OBJECTSTORE_DATA says; nil when it is absent.
  static func data(_ name: String) -> String? {
    let folder =
      ProcessInfo.processInfo.environment["OBJECTSTORE_DATA"].map { URL(fileURLWithPath: $0) }
      ?? root.deletingLastPathComponent().appendingPathComponent("shared/data")
    let path = folder.appendingPathComponent(name).path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  /// Runs `objquery`.
  static func run(_ arguments: [String], input: String = "") throws -> Outcome {
    try run(try binary(), arguments, input: input)
  }

  /// Where it is: beside the test bundle.
  static func binary() throws -> URL {
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("objquery")
  }

  /// Runs any program; its output goes through files, so that no pipe can fill up.
  static func run(_ program: URL, _ arguments: [String], input: String = "") throws -> Outcome {
    let folder = try Scratch()
    let (input_, output, errors) = (folder.path("in"), folder.path("out"), folder.path("err"))
    try Data(input.utf8).write(to: URL(fileURLWithPath: input_))
    for path in [output, errors] { _ = FileManager.default.createFile(atPath: path, contents: nil) }
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.standardInput = FileHandle(forReadingAtPath: input_)
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle(forWritingAtPath: errors)
    try process.run()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus,
      output: String(decoding: try Data(contentsOf: URL(fileURLWithPath: output)), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: URL(fileURLWithPath: errors)), as: UTF8.self))
  }
}

/// A folder that goes away with its last user.
final class Scratch: Sendable {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("objquery-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}
