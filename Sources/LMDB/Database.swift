import CLMDB

/// A named database of an environment: a handle that is opened once and stays valid as long as the environment.
///
/// It has a name and a kind, and does not know its contents.
package struct Database: Sendable, Hashable {
  /// LMDB's handle.
  package let dbi: UInt32
  /// The name, unique in the environment.
  package let name: String
  /// The kind.
  package let options: DatabaseOptions
  /// The extent to which it was verified.
  let verification = Verification()

  init(dbi: UInt32, name: String, options: DatabaseOptions) {
    self.dbi = dbi
    self.name = name
    self.options = options
  }

  package static func == (a: Database, b: Database) -> Bool { a.dbi == b.dbi }
  package func hash(into hasher: inout Hasher) { hasher.combine(dbi) }

  /// Throws when a key can have only one value.
  @inline(__always)
  func expectSeveralValues() throws(LMDBError) {
    guard options.contains(.dupSort) else { throw .incompatible("several values of a key in \(name)") }
  }
}

/// The kind of a database. Stored in the file: it can't change later.
package struct DatabaseOptions: OptionSet, Sendable, Hashable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Keys are `UInt64` in the machine's byte order, and ordered as numbers.
  package static let integerKey = DatabaseOptions(rawValue: UInt32(MDB_INTEGERKEY))
  /// A key may have many values, in order.
  package static let dupSort = DatabaseOptions(rawValue: UInt32(MDB_DUPSORT))
  /// All values of a key have the same width, here always eight bytes: used with `integerDup`.
  package static let dupFixed = DatabaseOptions(rawValue: UInt32(MDB_DUPFIXED))
  /// The values of a key are `UInt64`, ordered as numbers.
  package static let integerDup = DatabaseOptions(rawValue: UInt32(MDB_INTEGERDUP))

  /// Sets of numbers under each key, as in indexes.
  package static let integerSet: DatabaseOptions = [.dupSort, .dupFixed, .integerDup]

  /// Whether LMDB and this layer have such a kind.
  var isSupported: Bool {
    let known: DatabaseOptions = [.integerKey, .dupSort, .dupFixed, .integerDup]
    guard known.isSuperset(of: self), contains(.dupFixed) == contains(.integerDup) else { return false }
    return contains(.dupSort) || isDisjoint(with: [.dupFixed, .integerDup])
  }
}

/// The state of the few databases that a transaction uses. This is not a dictionary: the type lookups for the first
/// dictionary of a process take longer than any search here.
struct FewDatabases<Fact> {
  private var facts: [(dbi: UInt32, fact: Fact)] = []

  subscript(database: Database) -> Fact? {
    get { facts.first { $0.dbi == database.dbi }?.fact }
    set {
      let place = facts.firstIndex { $0.dbi == database.dbi }
      switch (place, newValue) {
      case (let place?, let fact?): facts[place].fact = fact
      case (nil, let fact?): facts.append((database.dbi, fact))
      case (let place?, nil): facts.remove(at: place)
      case (nil, nil): break
      }
    }
  }
}
