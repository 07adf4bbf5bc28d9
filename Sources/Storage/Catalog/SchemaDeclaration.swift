package import Schema
package import Values

/// The requested schema of a file: the declared parts, those that may be removed, and the values that existing objects
/// get.
package struct SchemaDeclaration: Sendable {
  /// The declared schema. Other parts of the file's schema are kept.
  package var schema: Schema
  /// The names of parts to remove, in the syntax of `SchemaPart`.
  package var removing: [String]
  /// The paths of properties to keep although a new one has their type: they were not renamed.
  package var keeping: [String]
  /// The defaults that are generated for each object.
  package var made: [PropertyPlace: MadeDefault]
  /// The steps of the program's plan, in order.
  package var steps: [DeclaredStep]

  package init(
    _ schema: Schema, removing: [String] = [], keeping: [String] = [], made: [PropertyPlace: MadeDefault] = [:],
    steps: [DeclaredStep] = []
  ) {
    self.schema = schema
    self.removing = removing
    self.keeping = keeping
    self.made = made
    self.steps = steps
  }
}

/// The schema part of a migration step. The file records the step's name when it is done.
package struct DeclaredStep: Sendable {
  /// Its name, which no other step has.
  package var name: String
  /// The names of undeclared parts that the step removes.
  package var removing: [String]
  /// The names of parts that the step reads and then removes, even if the declaration has a property with that name: it
  /// is a different one.
  package var replacing: [String]
  /// The entities and properties whose values the step provides, so that they need no default.
  package var filling: [String]

  package init(name: String, removing: [String] = [], replacing: [String] = [], filling: [String] = []) {
    self.name = name
    self.removing = removing
    self.replacing = replacing
    self.filling = filling
  }
}

/// A generated default: an expression that is evaluated for each existing object.
package struct MadeDefault: Sendable {
  /// The columns of the property, as the rest of their paths after the property's path: empty, or `.town`.
  package let columns: [String]
  /// Makes one value for each of the columns.
  package let make: @Sendable () throws -> [Value]

  package init(columns: [String], make: @escaping @Sendable () throws -> [Value]) {
    self.columns = columns
    self.make = make
  }
}
