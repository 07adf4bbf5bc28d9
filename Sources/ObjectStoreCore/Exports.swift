// What surfaces of the lower layers, by name: each is in the signature of something that a user calls, or in a value
// that it returns. `Tests/ObjectStoreTests/Fixtures/ExportedNames.txt` lists these with the names of this module.

// Errors and warnings.
@_exported public import struct Diagnostics.Diagnostic
@_exported public import enum Diagnostics.DiagnosticCode
@_exported public import struct Diagnostics.DiagnosticError
@_exported public import struct Diagnostics.Fix
@_exported public import struct Diagnostics.SourceRange
// Options and arguments of queries, and the parsed statements that a session takes.
@_exported public import struct PredicateLanguage.Arguments
@_exported public import struct PredicateLanguage.PredicateSyntax
@_exported public import enum PredicateLanguage.SchemaStatementSyntax
@_exported public import struct PredicateLanguage.SortOptions
@_exported public import struct PredicateLanguage.StatementExample
@_exported public import enum PredicateLanguage.StatementSyntax
@_exported public import struct PredicateLanguage.StringOptions
@_exported public import struct QueryEngine.QueryCancelled
// Schemas, which models declare and stores have.
@_exported public import enum Schema.CollectionKind
@_exported public import struct Schema.Column
@_exported public import enum Schema.DeleteRule
@_exported public import struct Schema.Entity
@_exported public import enum Schema.GeneratedDefault
@_exported public import struct Schema.Index
@_exported public import enum Schema.IndexKind
@_exported public import struct Schema.Property
@_exported public import enum Schema.PropertyType
@_exported public import enum Schema.ScalarType
@_exported public import struct Schema.Schema
@_exported public import enum Schema.SchemaChange
@_exported public import enum Schema.SchemaPart
@_exported public import enum Schema.SchemaText
@_exported public import struct Storage.DeniedDelete
@_exported public import struct Storage.LimitExceeded
@_exported public import enum Storage.StoreError
// Who reads and writes a store, in its statistics.
@_exported public import struct Storage.StoreReader
@_exported public import struct Storage.StoreWriter
@_exported public import struct Storage.StoreWriterWaits
@_exported public import struct Storage.UniquenessViolation
// Values, as arguments, defaults and the properties of dynamic objects.
@_exported public import struct Values.DecimalValue
@_exported public import struct Values.EmbeddedField
@_exported public import struct Values.Instant
@_exported public import struct Values.ObjectNumber
@_exported public import struct Values.ObjectReference
@_exported public import struct Values.UUIDBytes
@_exported public import enum Values.Value
