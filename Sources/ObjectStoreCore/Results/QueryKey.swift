internal import Glibc
internal import PredicateLanguage
internal import Values

/// The source of a query, byte by byte: the entity, then each stage with its text and arguments.
///
/// Queries with the same key are equal. Texts that look alike but differ in their bytes, both zeros, and all NaNs have
/// different keys, because a query prints its arguments unchanged.
struct QueryKey: Hashable, Sendable {
  private var bytes: [UInt8] = []
  /// The hash of the bytes; computed once, since a key is looked up several times.
  private(set) var digest = 0

  /// The maximum length; longer keys are not made, and such queries not cached.
  private static let longest = 4_096

  /// The kind of a stage.
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

  /// Hashes the bytes added after the first `count` bytes.
  private mutating func seal(from count: Int) {
    var hasher = Hasher()
    hasher.combine(digest)
    bytes.withUnsafeBytes { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0[count...])) }
    digest = hasher.finalize()
  }

  /// The key, unless it is too long.
  private consuming func sealed(after key: QueryKey) -> QueryKey? {
    guard bytes.count <= Self.longest else { return nil }
    seal(from: key.bytes.count)
    return self
  }

  /// The key with a further stage; nil for arguments of types that are not cached.
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

  /// The key of a filter's shape, with only the types of its arguments; nil if the filter depends on more than their
  /// types.
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

  /// Whether this, the shape of a filter with some arguments, is the shape of a filter with the same text and other
  /// positional arguments.
  func isShape(of beginning: QueryKey, _ arguments: Arguments, like others: Arguments) -> Bool {
    guard arguments.named.isEmpty, others.named.isEmpty, !arguments.textTakesType, arguments.positionalTexts.isEmpty,
      arguments.namedTexts.isEmpty, arguments.positional.count == others.positional.count,
      bytes.starts(with: beginning.bytes)
    else { return false }
    return arguments.positional.indices.allSatisfy {
      Self.kind(of: arguments.positional[$0]) == Self.kind(of: others.positional[$0])
    }
  }

  /// A shape with its arguments: the key of the query, or nil if it is too long.
  func addingArguments(_ arguments: Arguments) -> QueryKey? {
    var key = self
    for argument in arguments.positional where !key.add(argument) { return nil }
    if !arguments.named.isEmpty {
      for (_, argument) in arguments.named.sorted(by: { $0.key < $1.key }) where !key.add(argument) { return nil }
    }
    return key.sealed(after: self)
  }

  /// A code for the type of an argument; nil if the type does not suffice.
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

  /// A copy with room for a text and some arguments.
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

  /// Appends a value. Returns false for types that are not cached.
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
  /// Whether both have the same bytes; strings that compare equal may differ in them.
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
