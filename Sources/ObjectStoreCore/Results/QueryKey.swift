internal import Glibc
internal import PredicateLanguage
internal import Values

/// What a query was made of, byte for byte: the entity, then each step with its text and arguments.
///
/// Two queries with the same key are the same query. Texts that look alike but differ in their bytes, the two zeros and
/// every NaN have keys of their own, for a query prints its arguments as they are.
struct QueryKey: Hashable, Sendable {
  private var bytes: [UInt8] = []
  /// The hash of the bytes: a key is looked up several times, and made once.
  private(set) var digest = 0

  /// Longer ones are not made: such queries are better forgotten.
  private static let longest = 4_096

  /// What a step does.
  enum Step: UInt8 {
    case filter, sort, reversedSort, distinct, window, shape, statement
  }

  init(_ entity: String) {
    bytes.reserveCapacity(96)
    add(entity)
    seal(from: 0)
  }

  static func == (a: QueryKey, b: QueryKey) -> Bool { a.digest == b.digest && a.bytes == b.bytes }

  func hash(into hasher: inout Hasher) { hasher.combine(digest) }

  /// Hashes what was added since there were `count` bytes.
  private mutating func seal(from count: Int) {
    var hasher = Hasher()
    hasher.combine(digest)
    bytes.withUnsafeBytes { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0[count...])) }
    digest = hasher.finalize()
  }

  /// The key, if it is not too long.
  private consuming func sealed(after key: QueryKey) -> QueryKey? {
    guard bytes.count <= Self.longest else { return nil }
    seal(from: key.bytes.count)
    return self
  }

  /// With a step said by a text; nil where arguments are of a kind that is not kept.
  func adding(_ step: Step, _ text: String, _ arguments: Arguments = Arguments()) -> QueryKey? {
    guard text.utf8.count < Self.longest, !arguments.textTakesType, arguments.positionalTexts.isEmpty,
      arguments.namedTexts.isEmpty
    else { return nil }
    var key = longer(by: text)
    key.bytes.append(step.rawValue)
    key.add(text)
    key.add(UInt64(arguments.positional.count))
    for argument in arguments.positional where !key.add(argument) { return nil }
    key.add(UInt64(arguments.named.count))
    if !arguments.named.isEmpty {
      for (name, argument) in arguments.named.sorted(by: { $0.key < $1.key }) {
        key.add(name)
        if !key.add(argument) { return nil }
      }
    }
    return key.sealed(after: self)
  }

  /// With a filter of which the arguments are known by their kinds only; nil where their values decide more than what
  /// is compared with what.
  func addingShape(_ text: String, _ arguments: Arguments) -> QueryKey? {
    guard !arguments.positional.isEmpty || !arguments.named.isEmpty, !arguments.textTakesType,
      arguments.positionalTexts.isEmpty, arguments.namedTexts.isEmpty, text.utf8.count < Self.longest
    else { return nil }
    var key = longer(by: text)
    key.bytes.append(Step.shape.rawValue)
    key.add(text)
    key.add(UInt64(arguments.positional.count))
    for argument in arguments.positional {
      guard let kind = Self.kind(of: argument) else { return nil }
      key.bytes.append(kind)
    }
    if !arguments.named.isEmpty {
      key.bytes.append(0)
      for (name, argument) in arguments.named.sorted(by: { $0.key < $1.key }) {
        guard let kind = Self.kind(of: argument) else { return nil }
        key.add(name)
        key.bytes.append(kind)
      }
    }
    return key.sealed(after: self)
  }

  /// Whether this, a shape of a filter with some arguments, is that of a filter of the same text over what `beginning`
  /// says with others by position.
  func isShape(of beginning: QueryKey, _ arguments: Arguments, like others: Arguments) -> Bool {
    guard arguments.named.isEmpty, others.named.isEmpty, !arguments.textTakesType, arguments.positionalTexts.isEmpty,
      arguments.namedTexts.isEmpty, arguments.positional.count == others.positional.count,
      bytes.starts(with: beginning.bytes)
    else { return false }
    return arguments.positional.indices.allSatisfy {
      Self.kind(of: arguments.positional[$0]) == Self.kind(of: others.positional[$0])
    }
  }

  /// A shape with its arguments: the key of the query, but for one that is too long to be kept.
  func addingArguments(_ arguments: Arguments) -> QueryKey? {
    var key = self
    for argument in arguments.positional where !key.add(argument) { return nil }
    if !arguments.named.isEmpty {
      for (_, argument) in arguments.named.sorted(by: { $0.key < $1.key }) where !key.add(argument) { return nil }
    }
    return key.sealed(after: self)
  }

  /// The kind of an argument; nil where it does not say enough.
  private static func kind(of argument: Value) -> UInt8? {
    switch argument {
    case .null, .list, .embedded, .object: nil
    case .bool: 1
    case .int: 2
    case .float: 3
    case .double: 4
    case .date: 5
    case .uuid: 6
    case .string: 7
    case .data: 8
    case .decimal: 9
    }
  }

  /// With a window.
  func addingWindow(offset: Int, limit: Int?) -> QueryKey {
    var key = self
    key.bytes.append(Step.window.rawValue)
    key.add(UInt64(bitPattern: Int64(offset)))
    key.add(UInt64(bitPattern: Int64(limit ?? -1)))
    key.seal(from: bytes.count)
    return key
  }

  /// The same, with room for a text and some arguments.
  private func longer(by text: String) -> QueryKey {
    var key = self
    key.bytes = []
    key.bytes.reserveCapacity(bytes.count + text.utf8.count + 64)
    key.bytes += bytes
    return key
  }

  private mutating func add(_ number: UInt64) {
    withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
  }

  private mutating func add(_ text: String) {
    add(UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// False for what is not kept.
  private mutating func add(_ value: Value) -> Bool {
    if bytes.count > Self.longest { return false }
    switch value {
    case .null: bytes.append(0)
    case .bool(let flag): bytes.append(flag ? 2 : 1)
    case .int(let number):
      bytes.append(3)
      add(UInt64(bitPattern: number))
    case .float(let number):
      bytes.append(4)
      add(UInt64(number.bitPattern))
    case .double(let number):
      bytes.append(5)
      add(number.bitPattern)
    case .date(let moment):
      bytes.append(6)
      add(moment.seconds.bitPattern)
    case .uuid(let uuid):
      bytes.append(7)
      add(uuid.high)
      add(uuid.low)
    case .string(let text):
      guard text.utf8.count < Self.longest else { return false }
      bytes.append(8)
      add(text)
    case .data(let data):
      guard data.count < Self.longest else { return false }
      bytes.append(9)
      add(UInt64(data.count))
      bytes.append(contentsOf: data)
    case .decimal(let number):
      bytes.append(13)
      number.withBytes { bytes.append(contentsOf: $0) }
    case .list(let elements):
      bytes.append(10)
      add(UInt64(elements.count))
      for element in elements where !add(element) { return false }
    case .embedded(let fields):
      bytes.append(11)
      add(UInt64(fields.count))
      for field in fields {
        add(field.name)
        if !add(field.value) { return false }
      }
    case .object(let reference):
      bytes.append(12)
      add(reference.entity)
      add(reference.number.rawValue)
    }
    return true
  }
}

extension String {
  /// Whether it has the same bytes: texts that look alike may differ in them.
  func hasSameBytes(as other: String) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { others in
        guard bytes.count == others.count, let start = bytes.baseAddress, let other = others.baseAddress else {
          return bytes.isEmpty && others.isEmpty
        }
        return memcmp(start, other, bytes.count) == 0
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}
