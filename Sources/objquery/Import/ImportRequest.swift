import ObjectStoreCore

/// An import request: the parsed arguments, before any file is opened.
struct ImportRequest {
  var file: String
  var entity: String
  var format: ImportFormat?
  /// How delimited text is read.
  var reading = DelimitedReading.usual
  /// The encoding of the file; nil for UTF-8, or UTF-16 with a byte order mark.
  var encoding: String?
  /// The keys that lead to the list of objects in a document of JSON; nil to find out.
  var rows: [String]?
  var schemaFile: String?
  /// Properties that the schema file lacks and that were not renamed.
  var keeping: [String] = []
  /// The unique property.
  var key: String?
  /// The indexes to create in addition to the key's.
  var indexes: [Index] = []
  var dates: [String: DateReading] = [:]
  /// Names to change, from the data's to the property's.
  var renamed: [String: String] = [:]
  var isUpsert = false
  /// The option or words that replace objects already in the store, as an error message suggests them.
  var upsertWords = "--upsert"
  var errorsFile: String?
  /// Whether the contents of the errors file stay.
  var addsErrors = false
  /// Whether an errors file that is there is replaced.
  var replacesErrors = false
  /// Whether `{"@id": 17}` is the object of the store with this number, where the data has no object of that number.
  var linksToStore = false
}

/// The result of an import.
struct ImportSummary: Equatable {
  var imported = 0
  /// Rows that were left out.
  var bad = 0
  /// Links that lead nowhere, of objects that were imported.
  var openLinks = 0
  /// Why the rest of the file could not be read.
  var damage: String?
  /// Whether rows that were left out are no failure.
  var allowsBadRows = false

  /// Adds the result for another file.
  mutating func add(_ other: ImportSummary) {
    imported += other.imported
    bad += other.bad
    openLinks += other.openLinks
    damage = damage ?? other.damage
  }
}
