// swift-tools-version: 6.1
import PackageDescription

// Apart from the main package, so that the library never depends on its opponents.
let package = Package(
  name: "benchmark",
  dependencies: [
    .package(name: "ObjectStore", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/groue/GRDB.swift", .upToNextMinor(from: "7.10.0")),
  ],
  targets: [
    .executableTarget(
      name: "benchmark",
      dependencies: [
        .product(name: "ObjectStoreCore", package: "ObjectStore"),
        .product(name: "PredicateLanguage", package: "ObjectStore"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ])
  ]
)
