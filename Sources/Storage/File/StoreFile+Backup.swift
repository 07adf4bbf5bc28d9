internal import LMDB

extension StoreFile {
  /// Writes the last commit to a new store in a folder that does not exist or is empty. Throws `io` if the folder
  /// contains anything.
  package func backup(to directory: String, wait: WriteWait = WriteWait()) throws(StoreError) {
    try StoreError.only(directory) {
      try onNewest { opened in try opened.environment.copy(to: directory, isCancelled: wait.isCancelled) }
    }
  }
}
