internal import Schema
internal import Storage
internal import Values

/// The objects of a link or an inverse, as the start of a query that does not cover its whole entity.
enum LinkedNumbers: Sendable {
  /// The given objects, in this order and with repetitions.
  case these([ObjectNumber])
  /// The objects that link to an object through the property at a dotted path.
  case linking(to: ObjectNumber, through: String)

  /// The objects, in words.
  var summary: String {
    switch self {
    case .these(let numbers): numbers.count == 1 ? "1 given object" : "\(numbers.count) given objects"
    case .linking(let target, let path): "those that link to object \(target) through '\(path)'"
    }
  }

  /// The objects in a snapshot.
  func numbers(of entity: StoredEntity, in snapshot: Snapshot) throws -> [ObjectNumber] {
    switch self {
    case .these(let numbers): return numbers
    case .linking(let target, let path):
      guard let column = entity.column(at: path), let inverse = entity.inverse(ofColumn: column) else {
        throw entity.unknownProperty(path)
      }
      var numbers: [ObjectNumber] = []
      try snapshot.index(inverse, of: entity).forEachSource(of: target) { run in
        numbers += run.lazy.map { ObjectNumber($0) }
        return true
      }
      return numbers
    }
  }
}
