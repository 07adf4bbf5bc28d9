import CSystem
import Glibc

/// A temporary folder, locked so that other processes don't delete it as left over.
///
/// A folder left over by a killed process is deleted by the next process that creates one in the same parent.
struct TemporaryDirectory {
  let path: String
  private let descriptor: Int32

  /// Creates a folder `<prefix><random>` in `parent`, after deleting left-over folders with that prefix.
  static func make(in parent: String, prefix: String) throws(LMDBError) -> TemporaryDirectory {
    sweep(parent, prefix: prefix)
    var failures = 0
    while true {
      let path = parent + "/" + prefix + String(UInt64.random(in: .min ... .max), radix: 36)
      guard mkdir(path, 0o700) == 0 else {
        failures += 1
        guard errno == EEXIST, failures < 100 else { throw .lastSystemError("making a folder in it", parent) }
        continue
      }
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      // Another process may have deleted it between these two lines.
      if descriptor < 0 {
        failures += 1
        guard errno == ENOENT, failures < 100 else { throw .lastSystemError("opening", path) }
        continue
      }
      var status = stat()
      if system_lock(descriptor, 1, 0) == 0, fstat(descriptor, &status) == 0, status.st_nlink > 0 {
        return TemporaryDirectory(path: path, descriptor: descriptor)
      }
      _ = close(descriptor)
      failures += 1
      guard failures < 100 else { throw .system(EBUSY, doing: "making the folder", path: path) }
    }
  }

  /// Removes the store files in the folder, and the folder.
  func remove() {
    Self.remove(path)
    _ = close(descriptor)
  }

  /// Called after the folder was moved to its destination: it is no longer temporary.
  func keep() { _ = close(descriptor) }

  /// Removes the store files in a folder, and the folder.
  static func remove(_ path: String) {
    _ = unlink(path + "/data.mdb")
    _ = unlink(path + "/lock.mdb")
    _ = rmdir(path)
  }

  private static func sweep(_ parent: String, prefix: String) {
    guard let folder = opendir(parent) else { return }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name.hasPrefix(prefix) else { continue }
      let path = parent + "/" + name
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      if system_lock(descriptor, 1, 0) == 0 { remove(path) }
      _ = close(descriptor)
    }
  }
}
