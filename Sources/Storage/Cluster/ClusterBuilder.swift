import Schema
package import Values

/// A cluster decoded for change: up to 256 rows, kept column by column in typed buffers.
///
/// It knows neither LMDB nor transactions; what it encodes is to be written by its owner, which also is the only one
/// to use it (a builder is not for several threads).
package final class ClusterBuilder {
  package let number: UInt64
  package let entity: StoredEntity
  package private(set) var present: Mask = .none

  package init(number: UInt64, entity: StoredEntity) {
    self.number = number
    self.entity = entity
  }

  package init(decoding view: ClusterView) throws(StoreError) {
    number = view.number
    entity = view.context.entity
    throw .unsupported("")
  }

  package var isEmpty: Bool { present.isEmpty }
  package var isFull: Bool { present == .all }
  package func append(_ row: [Value], at slot: Int) throws(StoreError) { throw .unsupported("") }
  package func set(_ slot: Int, _ column: Int, _ value: Value) throws(StoreError) { throw .unsupported("") }
  package func remove(_ slot: Int) { }
  package func value(_ slot: Int, _ column: Int) throws(StoreError) -> Value { throw .unsupported("") }
  package func row(_ slot: Int) throws(StoreError) -> [Value]? { throw .unsupported("") }
  package func encode(transaction: UInt64) throws(StoreError) -> EncodedCluster { throw .unsupported("") }
}
