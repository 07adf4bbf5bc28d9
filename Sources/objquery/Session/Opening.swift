import Glibc
import ObjectStoreCore

/// Opens stores for the command: what goes wrong there has an exit status of its own.
enum Opening {
  /// Whether there is anything at `path`.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Opens the store at `path`.
  static func open(_ path: String, mode: OpenMode, schema: Schema? = nil) throws -> Store {
    do {
      return try Store.openDynamic(path, mode: mode, schema: schema)
    } catch {
      throw CommandFailure(description: Console.message(of: error), status: .unopened, code: "store-not-opened")
    }
  }
}
