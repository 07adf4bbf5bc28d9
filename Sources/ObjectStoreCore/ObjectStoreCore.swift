// ObjectStoreCore
