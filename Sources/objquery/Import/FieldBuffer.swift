import CSimdjson

/// The fields of one record in memory of its own, handed out until the next record is read.
final class FieldBuffer {
  private var storage: UnsafeMutablePointer<Field>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 64) {
    self.capacity = capacity
    storage = .allocate(capacity: capacity)
  }

  deinit { storage.deallocate() }

  /// All fields, valid until the buffer changes.
  var fields: UnsafeBufferPointer<Field> { UnsafeBufferPointer(start: storage, count: count) }

  func removeAll() { count = 0 }

  func append(_ field: Field) {
    if count == capacity {
      let larger = UnsafeMutablePointer<Field>.allocate(capacity: capacity * 2)
      larger.moveInitialize(from: storage, count: count)
      storage.deallocate()
      storage = larger
      capacity *= 2
    }
    (storage + count).initialize(to: field)
    count += 1
  }

  /// Makes the field with the path of `field` that one, or adds it.
  func replace(_ field: Field) {
    for index in 0..<count where storage[index].path == field.path {
      storage[index] = field
      return
    }
    append(field)
  }
}
