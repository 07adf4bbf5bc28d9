internal import LMDB

/// A reader of a store, in any process.
public struct StoreReader: Hashable, Sendable {
  /// The version that it reads.
  public var version: Int
  /// Its process ID.
  public var processID: Int32
  /// The name of the program that the process runs, of which the system keeps 15 bytes; nil if it does not say it.
  public var program: String?
  /// The command line that the process was started with, at most 120 characters of it and then `…`; nil if the system
  /// does not say it.
  public var command: String?
  /// What it says about itself: the `label` of its store, or the name of its program. nil of a program of an earlier
  /// version, which says nothing.
  public var label: String?
  /// How long it has been reading. A program of an earlier version does not say it: then it is the age of its process,
  /// which is the most it can be. nil if that is not known either.
  public var age: Duration?
  /// Whether `age` is that of the reader, not of its process.
  public var isAgeExact: Bool

  init(_ reader: Environment.Reader) {
    (version, processID, program) = (reader.commit, reader.processID, reader.program)
    (command, label, age, isAgeExact) = (reader.command, reader.label, reader.age, reader.isAgeExact)
  }
}

/// The waits of a process for its turn to write to a store, since it opened the store.
public struct StoreWriterWaits: Hashable, Sendable {
  /// The number of writes that had to wait for another writer.
  public var count: Int
  /// The sum of their waits.
  public var total: Duration
  /// The longest of them.
  public var longest: Duration

  init(_ waits: WriterWaits) { (count, total, longest) = (waits.count, waits.total, waits.longest) }
}
