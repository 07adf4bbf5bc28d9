import CPlatform

/// The environments that are open in this process, one a file.
///
/// LMDB must not open a file twice in a process: closing one of them would drop the locks of the other. The registry
/// does not keep environments alive.
final class EnvironmentRegistry: @unchecked Sendable {
  static let shared = EnvironmentRegistry()

  /// Which file: the same one under whatever path.
  struct Key: Equatable {
    let device: UInt64
    let inode: UInt64
    /// The process, so that a forked child does not share with its parent.
    let generation: UInt32
  }

  private let monitor = Monitor()
  /// Not counted, and not weak either, which would make all counting of environments slow. An environment that ends
  /// takes itself out. They are few: a dictionary would cost a process more than looking at each.
  private var entries: [(key: Key, environment: Unmanaged<Environment>)] = []

  /// The open environment for the file, or the one `make` makes. Waits while it is being closed elsewhere.
  func environment(
    for key: Key, make: () throws(LMDBError) -> Environment
  ) throws(LMDBError) -> Environment {
    monitor.lock()
    defer { monitor.unlock() }
    while let entry = entries.first(where: { $0.key == key }) {
      if let environment = entry.environment.living { return environment }
      _ = monitor.wait(until: .never)
    }
    let environment = try make()
    entries.append((key, .passUnretained(environment)))
    return environment
  }

  /// Closes an environment while nobody can open its file.
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

extension Unmanaged {
  /// The object, unless it is being taken apart: see `platform_retain_living`.
  package var living: Instance? {
    platform_retain_living(toOpaque()).map { Unmanaged.fromOpaque($0).takeRetainedValue() }
  }
}
