import Glibc
import ObjectStoreCore

/// Opens stores for the command: errors in opening have their own exit status.
enum StoreOpener {
  /// Whether there is anything at `path`.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Whether the store at `path` may be read.
  static func isReadable(_ path: String) -> Bool { access(path + "/data.mdb", R_OK) == 0 }

  /// Whether the store at `path` may be written to.
  static func isWritable(_ path: String) -> Bool { access(path + "/data.mdb", W_OK) == 0 }

  /// Opens the store at `path`.
  static func open(
    _ path: String, mode: OpenMode, schema: Schema? = nil, limits: Store.Limits = .init(),
    cancellation: Cancellation? = nil
  ) throws -> Store {
    do {
      return try Store.openDynamic(
        path, mode: mode, schema: schema, limits: limits, cancellation: cancellation)
    } catch StoreError.cancelled {
      throw Interrupted()
    } catch let error as StoreError where error.isAboutSchema {
      throw CommandFailure(description: Console.message(of: error), code: "schema-refused")
    } catch {
      throw CommandFailure(description: Console.message(of: error), status: .unopened, code: "store-not-opened")
    }
  }
}

extension StoreError {
  /// Whether the store refused the declared schema, while the store itself is intact.
  fileprivate var isAboutSchema: Bool {
    switch self {
    case .unsupported, .migrationNeeded, .constraintViolated, .limitExceeded: true
    default: false
    }
  }
}
