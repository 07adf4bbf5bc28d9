/// The bytes of a cluster, and the values to write or delete in addition.
package struct EncodedCluster {
  /// A change of an overflow value or a separate chunk.
  package struct OutOfLineChange {
    /// The key of the value.
    package let key: OutOfLineKey
    /// The new bytes; nil to delete the value, if it exists.
    package let bytes: [UInt8]?

    package init(key: OutOfLineKey, bytes: [UInt8]?) {
      self.key = key
      self.bytes = bytes
    }
  }

  /// The cluster's own value; its length is a multiple of eight.
  package let bytes: [UInt8]
  /// The changes to make in the same transaction.
  package let outOfLine: [OutOfLineChange]

  package init(bytes: [UInt8], outOfLine: [OutOfLineChange]) {
    self.bytes = bytes
    self.outOfLine = outOfLine
  }
}
