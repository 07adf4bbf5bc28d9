/// The long values of an entity in a damaged store. One that the tree does not have may be among those to which no tree
/// leads.
final class FoundLongValues {
  private var known: [OutOfLineKey: UnsafeRawBufferPointer]
  private let strays: StrayValues

  init(_ known: [OutOfLineKey: UnsafeRawBufferPointer], strays: StrayValues) {
    self.known = known
    self.strays = strays
  }

  /// The bytes under a key.
  func bytes(of key: OutOfLineKey) -> UnsafeRawBufferPointer? { known[key] }

  /// Finds the values of a column that are missing or are not what was written.
  func resolve(_ column: ColumnView) {
    guard let references = column.references else { return }
    let number = column.context.column(column.index).pointee.number
    let isText = if case .text = column.values { true } else { false }
    var rank = 0
    column.outOfLine.forEach { slot in
      let size = references[2 * rank]
      let length = Int(clamping: isText ? size : size & 0xFFFF_FFFF)
      let hash = references[2 * rank + 1]
      rank += 1
      let key = OutOfLineKey(cluster: column.number, column: number, slot: slot)
      if let bytes = known[key], bytes.count == length, Checksum.of(bytes) == hash { return }
      if let bytes = strays.value(key, length: length, hash: hash) { known[key] = bytes }
    }
  }
}
