import CLMDB

extension Environment {
  /// Writes the last commit to a new store at a path where there is nothing, or an empty folder: without what is free,
  /// so it is as small as it can be. Others go on reading and writing meanwhile. It is made aside and moved to its place
  /// when it is whole and on disk.
  package func copy(to directory: String) throws {
    // The map must stay where it is while LMDB reads it, and it does while somebody reads.
    let reader = try beginRead()
    defer { reader.end() }
    // LMDB reads every page that is in use.
    try checkEverything()
    let (parent, name) = try Self.split(directory)
    let hasEmptyFolder = try Self.isEmptyFolder(directory)
    let temporary = try Self.makeBeside(directory, in: parent, name: name)
    do {
      let code = mdb_env_copy2(raw, temporary.path, UInt32(MDB_CP_COMPACT))
      guard code == 0 else { throw error(code, "copying") }
      try Self.sync(temporary.path + "/data.mdb")
      try Self.sync(temporary.path, isFolder: true)
      try Self.move(temporary.path, to: directory, replacingEmptyFolder: hasEmptyFolder)
    } catch {
      temporary.remove()
      throw error
    }
    temporary.keep()
    try Self.sync(parent, isFolder: true)
  }
}
