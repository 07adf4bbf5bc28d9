import CSimdjson

/// The fields of one record in memory of its own, handed out until the next record is read.
final class FieldBuffer {
  /// All there is room for. Those beyond `count` mean nothing.
  private(set) var room: UnsafeMutableBufferPointer<Field>
  private(set) var count = 0

  init(capacity: Int = 64) {
    room = .allocate(capacity: max(capacity, 1))
    room.initialize(repeating: Field())
  }

  deinit { room.deallocate() }

  /// All fields, valid until the buffer changes.
  var fields: UnsafeBufferPointer<Field> { UnsafeBufferPointer(rebasing: room[0..<count]) }

  func removeAll() { count = 0 }

  func append(_ field: Field) {
    if count == room.count { grow() }
    room[count] = field
    count += 1
  }

  /// Says that the first so many of the room are the fields now.
  func take(_ count: Int) { self.count = min(count, room.count) }

  /// Doubles the room, and keeps what is in it.
  func grow() {
    let larger = UnsafeMutableBufferPointer<Field>.allocate(capacity: room.count * 2)
    larger.initialize(repeating: Field())
    for index in room.indices { larger[index] = room[index] }
    room.deallocate()
    room = larger
  }

  /// Makes the field with the path of `field` that one, or adds it.
  func replace(_ field: Field) {
    for index in 0..<count where room[index].path == field.path {
      room[index] = field
      return
    }
    append(field)
  }
}
