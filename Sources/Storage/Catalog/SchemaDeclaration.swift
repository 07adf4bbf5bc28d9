package import Schema
package import Values

/// What is asked of the schema of a file: what it shall have, what may go from it, and what older objects get.
package struct SchemaDeclaration: Sendable {
  /// What it shall have. Whatever else it has stays.
  package var schema: Schema
  /// The names of what shall go, as `SchemaPart` reads them.
  package var removing: [String]
  /// The paths of properties that stay although one of their type is new: they were not renamed.
  package var keeping: [String]
  /// The values of properties whose default is made anew for each object.
  package var made: [PropertyPlace: MadeDefault]

  package init(
    _ schema: Schema, removing: [String] = [], keeping: [String] = [], made: [PropertyPlace: MadeDefault] = [:]
  ) {
    self.schema = schema
    self.removing = removing
    self.keeping = keeping
    self.made = made
  }
}

/// A default that is an expression: it is run for each object that is there already.
package struct MadeDefault: Sendable {
  /// The columns of the property, each by what its path has after that of the property: nothing, or `.town`.
  package let columns: [String]
  /// One value for each of the columns.
  package let make: @Sendable () throws -> [Value]

  package init(columns: [String], make: @escaping @Sendable () throws -> [Value]) {
    self.columns = columns
    self.make = make
  }
}
