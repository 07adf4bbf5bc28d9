internal import LMDB

/// The writer of a store for whom others wait.
public struct StoreWriter: Hashable, Sendable {
  /// Its process ID; the caller's own if the writer is another thread of the process.
  public var processID: Int32
  /// The time it has been writing; nil if unknown.
  public var duration: Duration?

  /// Creates a writer of a process.
  public init(processID: Int32, duration: Duration? = nil) {
    self.processID = processID
    self.duration = duration
  }

  init(_ holder: WriterHolder) { self.init(processID: holder.processID, duration: holder.duration) }
}

extension StoreWriter: CustomStringConvertible {
  /// `process 4711, for 12.5 s`
  public var description: String {
    guard let duration else { return "process \(processID)" }
    let (seconds, attoseconds) = duration.components
    return "process \(processID), for \(seconds).\(attoseconds / 100_000_000_000_000_000) s"
  }
}
