/// A cluster as bytes, and what must be written or deleted beside it.
package struct EncodedCluster {
  /// A change of bytes kept out of line.
  package struct OutOfLineChange {
    /// Where.
    package let key: OutOfLineKey
    /// What to put there; nil to delete it, if it is there.
    package let bytes: [UInt8]?

    package init(key: OutOfLineKey, bytes: [UInt8]?) {
      self.key = key
      self.bytes = bytes
    }
  }

  /// The cluster's own value; its length is a multiple of eight.
  package let bytes: [UInt8]
  /// What to do beside it, in the same transaction.
  package let outOfLine: [OutOfLineChange]

  package init(bytes: [UInt8], outOfLine: [OutOfLineChange]) {
    self.bytes = bytes
    self.outOfLine = outOfLine
  }
}
