internal import LMDB

/// Who writes to a store while others wait.
public struct StoreWriter: Hashable, Sendable {
  /// Its process; that of the caller when another thread of it is the writer.
  public var processID: Int32
  /// How long it has been writing; nil when that is not known.
  public var duration: Duration?

  /// A writer of the given process.
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
