import Glibc

/// The two meta pages at the start of a data file, read and checked before anything is mapped.
struct FileHeader {
  /// What a meta page says of one commit.
  struct Meta {
    var commit: Int
    var lastPage: Int
    var freeTree: TreeRecord
    var mainTree: TreeRecord
  }

  var pageSize: Int
  var newest: Meta

  static func read(_ descriptor: Int32, path: String) throws(LMDBError) -> FileHeader {
    // stub: replaced below
    FileHeader(pageSize: 4096, newest: Meta(commit: 0, lastPage: 1, freeTree: TreeRecord(), mainTree: TreeRecord()))
  }
}

struct TreeRecord {}

extension Environment {
  func checkForWriting(_ raw: OpaquePointer) throws(LMDBError) {}
  func checkTree(of name: String, record: UnsafeRawBufferPointer, in raw: OpaquePointer) throws(LMDBError) {}
}
