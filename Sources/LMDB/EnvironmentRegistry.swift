/// The environments that are open in this process, one per file.
///
/// A process must not open an LMDB file twice: closing one environment would drop the locks of the other. The registry
/// does not keep environments alive.
final class EnvironmentRegistry: @unchecked Sendable {
  static let shared = EnvironmentRegistry()

  /// The identity of a file, independent of its path.
  struct Key: Equatable {
    let device: UInt64
    let inode: UInt64
    /// The process, so that a forked child does not share with its parent.
    let generation: UInt32
  }

  /// The identity of a folder.
  struct File: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  /// The reference is nil from the moment the environment is being closed until `close` has removed its entry.
  private struct Entry {
    let key: Key
    let folder: File?
    let isReadOnly: Bool
    weak var environment: Environment?
  }

  private let monitor = Monitor()
  /// A list, not a dictionary: a process has few environments open.
  private var entries: [Entry] = []

  /// The open environment for the file, or a new one made by `make`. Waits while another thread closes it.
  func environment(
    for key: Key, make: () throws(LMDBError) -> Environment
  ) throws(LMDBError) -> Environment {
    monitor.lock()
    defer { monitor.unlock() }
    while let entry = entries.first(where: { $0.key == key }) {
      if let environment = entry.environment { return environment }
      _ = monitor.wait(until: .never)
    }
    let environment = try make()
    entries.append(
      Entry(
        key: key, folder: environment.file.folder, isReadOnly: environment.options.readOnly, environment: environment))
    return environment
  }

  /// Whether this process has a file of that folder open for writing, be it the one at the path or one that a
  /// compaction has replaced.
  func isWritable(_ folder: File?) -> Bool {
    guard let folder else { return false }
    monitor.lock()
    defer { monitor.unlock() }
    return entries.contains { $0.folder == folder && !$0.isReadOnly }
  }

  /// Closes an environment, by `body`, while no thread can open its file, and removes its entry.
  func close(_ key: Key?, _ body: () -> Void) {
    monitor.lock()
    defer { monitor.unlock() }
    body()
    if let key {
      entries.removeAll { $0.key == key }
      monitor.wakeAll()
    }
  }
}
