internal import Schema
internal import Storage
internal import Values

/// The objects that links lead to, or come from: where a query starts that is not about all objects of its entity.
enum LinkedNumbers: Sendable {
  /// These, in this order and as often as they are here.
  case these([ObjectNumber])
  /// Those with a link to an object in the property at a dotted path.
  case linking(to: ObjectNumber, through: String)

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
