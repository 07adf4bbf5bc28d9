public import Foundation



/// An embedded object store: a folder with objects of one or several entities, queried in place.
public final class Store: Sendable {
  /// Opens the store in `path` for the given models, and makes it when it is not there.
  public convenience init(_ path: String, models: any Model.Type...) throws {
    throw StoreError.unsupported("not yet")
  }

  /// Opens the store at a file URL for the given models, and makes it when it is not there.
  public convenience init(_ url: URL, models: any Model.Type...) throws {
    throw StoreError.unsupported("not yet")
  }

  /// A store in memory for the given models; it is gone with its last reference.
  public static func inMemory(_ models: any Model.Type...) throws -> Store { throw StoreError.unsupported("not yet") }

  /// A store in memory of the given schema.
  public static func inMemory(schema: Schema) throws -> Store { throw StoreError.unsupported("not yet") }

  /// Opens the store in `path` by the schema in the file.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - mode: What to do when there is none.
  ///   - schema: A schema to declare first; nil leaves the file's as it is.
  public static func openDynamic(_ path: String, mode: OpenMode, schema: Schema? = nil) throws -> Store {
    throw StoreError.unsupported("not yet")
  }

  /// The schema in the file, as of the last commit by any process.
  public var schema: Schema { get throws { throw StoreError.unsupported("not yet") } }

  /// Makes the file's schema the given one: adds, removes and renames entities, properties and indexes.
  public func declare(_ schema: Schema) throws { throw StoreError.unsupported("not yet") }

  /// Runs `body` in a write transaction and commits it; when `body` throws, nothing was done.
  public func write<R>(_ body: (WriteTransaction) throws -> R) throws -> R { throw StoreError.unsupported("not yet") }

  /// The objects of an entity, by the schema in the file.
  public func objects(_ entity: String) throws -> DynamicResults { throw StoreError.unsupported("not yet") }

  /// Reads every object and every index and compares them.
  public func check() throws -> CheckReport { throw StoreError.unsupported("not yet") }

  /// How much the store holds and what it takes.
  public func statistics() throws -> StoreStatistics { throw StoreError.unsupported("not yet") }
}
