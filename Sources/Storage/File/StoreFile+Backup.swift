internal import LMDB

extension StoreFile {
  /// Writes the last commit to a new store in a folder that is not there, or empty. Throws `io` where something else is.
  package func backup(to directory: String, wait: WriteWait = WriteWait()) throws(StoreError) {
    try StoreError.only(directory) { try environment.copy(to: directory, isCancelled: wait.isCancelled) }
  }
}
