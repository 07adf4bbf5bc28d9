internal import QueryEngine
internal import Storage

extension Store {
  /// Limits for a store whose queries, or whose data, come from people who are not trusted. Exceeding a limit is a
  /// `StoreError.limitExceeded` that names the limit and its value, and changes nothing.
  ///
  /// ```swift
  /// var limits = Store.Limits()
  /// limits.time = .seconds(2)
  /// limits.rows = 10_000
  /// let store = try Store(path, models: Quake.self, mode: .readOnly, limits: limits)
  /// ```
  ///
  /// `time`, `memory` and `rows` are limits of queries and statements. The closure of a `write` is not ended by them:
  /// it may throw to undo what it did.
  ///
  /// They belong to this `Store`, not to the file: another `Store` on the same folder may have others. What is stored
  /// already is not judged by them. Texts of queries have fixed limits besides: see `SyntaxLimits`.
  public struct Limits: Hashable, Sendable {
    /// The maximum duration of each step of a query: of parsing its text, of binding it, and of each evaluation with
    /// its planning; and of a statement that changes something, from the wait for other writers on. nil, the default,
    /// for no limit. A `Cancellation` may end them sooner, and all together.
    public var time: Duration?
    /// The approximate maximum number of bytes that one query may hold for its result, for sorting, groups and links;
    /// nil, the default, for no limit.
    public var memory: Int?
    /// The maximum number of objects or rows that one query may return, or one statement may change; nil, the default,
    /// for no limit. A count may be greater.
    public var rows: Int?
    /// The maximum number of bytes of a string or Data that is stored or is an argument; by default 1 GiB.
    public var valueBytes = 1 << 30
    /// The maximum number of columns of an entity that is declared: properties, those of embedded structs counted each.
    /// By default 4,096, which is also the most that can be stored.
    public var columns = 4_096
    /// The maximum number of elements of a collection that is stored or is an argument; by default 10,000,000. (A list
    /// in the place of an argument has at most 1,000,000 in any case.)
    public var elements = 10_000_000

    /// The default limits.
    public init() {}
  }
}

extension Store.Limits {
  /// The limits on single values.
  var ofValues: ValueLimits { ValueLimits(bytes: valueBytes, elements: elements) }

  /// Whether queries can run as if there were no limits.
  var areFree: Bool { time == nil && memory == nil }

  /// The caller's cancellation with the time limit, which begins now.
  func timed(_ cancellation: Cancellation?) -> Cancellation? {
    time.map { Cancellation(limit: $0, within: cancellation) } ?? cancellation
  }

  /// Throws if so many objects or rows are too many.
  func check(rows count: Int) throws(StoreError) {
    if let rows, count > rows { throw .limitExceeded(LimitExceeded(.rows, rows, of: "the result")) }
  }

  /// Throws if an argument exceeds a limit.
  func check(_ arguments: Arguments) throws(StoreError) {
    if arguments.isEmpty { return }
    let limits = ofValues
    for (place, value) in arguments.positional.enumerated() {
      guard let excess = limits.excess(value) else { continue }
      throw .limitExceeded(LimitExceeded(excess.limit, excess.maximum, of: "argument \(place + 1)"))
    }
    for (name, value) in arguments.named {
      guard let excess = limits.excess(value) else { continue }
      throw .limitExceeded(LimitExceeded(excess.limit, excess.maximum, of: "$\(name)"))
    }
  }

  /// Throws if an entity has too many columns.
  func check(_ schema: Schema) throws(StoreError) {
    for entity in schema.entities where schema.columns(of: entity).count > columns {
      throw .limitExceeded(LimitExceeded(.columns, columns, of: entity.name))
    }
  }
}

extension PlannerOptions {
  /// Adds what may end a query: its caller, and the limits on time and memory.
  mutating func limit(by limits: Store.Limits, _ cancellation: Cancellation?) {
    if let timed = limits.timed(cancellation) { isCancelled = { try timed.ends() } }
    memory = limits.memory.map { MemoryBudget(limit: $0) }
  }
}
