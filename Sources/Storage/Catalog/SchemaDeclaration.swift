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

/// A step of a migration plan, as far as the schema is concerned. The file remembers by its name that it was done.
package struct DeclaredStep: Sendable {
  /// Its name, which no other step has.
  package var name: String
  /// The names of what goes with it and is not declared.
  package var removing: [String]
  /// The names of what it reads and what then goes, also where the declaration has a property of that name: it is another.
  package var replacing: [String]
  /// The entities and properties whose objects get values from it, so that they need no default.
  package var filling: [String]

  package init(name: String, removing: [String] = [], replacing: [String] = [], filling: [String] = []) {
    self.name = name
    self.removing = removing
    self.replacing = replacing
    self.filling = filling
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
