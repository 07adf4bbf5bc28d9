import Glibc
import LMDB
import Testing

/// A folder of a test's own, removed afterwards.
final class Scratch {
  let path: String

  /// - Parameter inMemory: Whether it is better in memory, if there is such a file system, for thousands of files.
  init(inMemory: Bool = false) throws {
    let memory = "/dev/shm"
    let parent = inMemory && access(memory, W_OK | X_OK) == 0 ? memory : "/tmp"
    var template = Array("\(parent)/lmdb-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw LMDBError.system(errno, doing: "making", path: "a scratch folder")
    }
    path = String(cString: made)
  }

  /// A path in the folder.
  func callAsFunction(_ name: String) -> String { path + "/" + name }

  deinit { Self.removeTree(path) }

  private static func removeTree(_ path: String) {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { removeTree(path + "/" + name) }
      }
      closedir(folder)
    }
    remove(path)
  }
}

/// A generator whose runs can be repeated.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// Bytes for keys and values.
func withBytes<R>(_ text: String, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
  try Array(text.utf8).withUnsafeBytes(body)
}

extension WriteTransaction {
  func put(_ key: String, _ value: String, _ database: Database) throws {
    try withBytes(key) { key in try withBytes(value) { try put(key, $0, database) } }
  }

  @discardableResult
  func add(_ key: String, _ number: UInt64, _ database: Database) throws -> Bool {
    try withBytes(key) { try putDuplicate($0, number, database) }
  }
}

extension Transaction {
  func text(_ key: String, _ database: Database) throws -> String? {
    try withBytes(key) { try get($0, database) }.map { String(decoding: $0, as: UTF8.self) }
  }

  func numbers(_ key: String, _ database: Database) throws -> [UInt64] {
    let cursor = try cursor(database)
    guard try withBytes(key, { try cursor.find($0) }) != nil else { return [] }
    var numbers: [UInt64] = []
    var run = try cursor.multiple()
    while let bytes = run {
      for offset in stride(from: 0, to: bytes.count, by: 8) {
        numbers.append(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      }
      run = try cursor.nextMultiple()
    }
    return numbers
  }
}

extension LMDBError {
  /// Whether the writer's turn did not come in time.
  var isWriterBusy: Bool { if case .writerBusy = self { true } else { false } }
}

/// The error `body` throws, if it is LMDB's.
func failure(_ body: () throws -> Void) -> LMDBError? {
  do {
    try body()
    return nil
  } catch {
    return error as? LMDBError
  }
}

/// What is in a folder.
func names(in folder: String) -> [String] {
  guard let folder = opendir(folder) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}
