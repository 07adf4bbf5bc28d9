internal import Values

// Values in the catalog, which are defaults of columns: a tag, then the bits. Doubles keep all their bits.

extension RecordWriter {
  mutating func put(value: Value) {
    switch value {
    // No column stores an object: a link is the target's ID.
    case .null, .object: put(UInt8(0))
    case .bool(let flag):
      put(UInt8(1))
      put(flag)
    case .int(let number):
      put(UInt8(2))
      put(UInt64(bitPattern: number))
    case .float(let number):
      put(UInt8(3))
      put(number.bitPattern)
    case .double(let number):
      put(UInt8(4))
      put(number.bitPattern)
    case .string(let text):
      put(UInt8(5))
      put(text)
    case .date(let instant):
      put(UInt8(6))
      put(instant.seconds.bitPattern)
    case .uuid(let uuid):
      put(UInt8(7))
      put(uuid.high)
      put(uuid.low)
    case .data(let bytes):
      put(UInt8(8))
      put(counted: bytes)
    case .list(let values):
      put(UInt8(9))
      put(each: values) { $0.put(value: $1) }
    case .decimal(let number):
      put(UInt8(11))
      number.withBytes { put(counted: Array($0)) }
    case .embedded(let fields):
      put(UInt8(10))
      put(each: fields) {
        $0.put($1.name)
        $0.put(value: $1.value)
      }
    }
  }
}

extension RecordReader {
  /// Reads a value. Lists and structs may nest 64 deep, far beyond what a schema can declare.
  mutating func value(depth: Int = 0) throws(RecordDamage) -> Value {
    guard depth < 64 else { throw RecordDamage(what: "a value in it nests too deep") }
    switch try byte() {
    case 0: return .null
    case 1: return .bool(try flag())
    case 2: return .int(Int64(bitPattern: try uint64()))
    case 3: return .float(Float(bitPattern: try uint32()))
    case 4: return .double(Double(bitPattern: try uint64()))
    case 5: return .string(try text())
    case 6: return .date(Instant(seconds: Double(bitPattern: try uint64())))
    case 7: return .uuid(UUIDBytes(high: try uint64(), low: try uint64()))
    case 8: return .data(try counted())
    case 9:
      return .list(
        try each { (reader: inout RecordReader) throws(RecordDamage) in try reader.value(depth: depth + 1) })
    case 10:
      return .embedded(
        try each { (reader: inout RecordReader) throws(RecordDamage) in
          EmbeddedField(name: try reader.text(), value: try reader.value(depth: depth + 1))
        })
    case 11:
      let bytes = try counted()
      guard let number = bytes.withUnsafeBytes({ DecimalValue(bytes: $0) }) else {
        throw RecordDamage(what: "a decimal number in it is not valid")
      }
      return .decimal(number)
    case let tag: throw RecordDamage(what: "\(tag) is not a kind of value")
    }
  }
}
