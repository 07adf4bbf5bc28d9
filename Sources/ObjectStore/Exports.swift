// The store with its macros: what most programs import.
@_exported public import ObjectStoreCore
@_exported public import SortDescriptors
