// ObjectStore
