// Words of the lower layers that surface here: values, schemas, diagnostics, syntax trees and arguments.
@_exported public import Diagnostics
@_exported public import PredicateLanguage
@_exported public import Schema
@_exported public import Values

@_exported public import struct QueryEngine.QueryCancelled
@_exported public import struct Storage.DeniedDelete
@_exported public import struct Storage.LimitExceeded
@_exported public import enum Storage.StoreError
@_exported public import struct Storage.StoreReader
@_exported public import struct Storage.StoreWriter
@_exported public import struct Storage.StoreWriterWaits
@_exported public import struct Storage.UniquenessViolation
