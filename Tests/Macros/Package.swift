// swift-tools-version: 6.1
import PackageDescription

// The tests that need the macros, apart from the others because they build swift-syntax.

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Macros",
  dependencies: [.package(name: "ObjectStore", path: "../..")],
  targets: [
    .testTarget(
      name: "ObjectStoreTests", dependencies: [.product(name: "ObjectStore", package: "ObjectStore")],
      exclude: ["Fixtures"],
      swiftSettings: settings),
    // A module whose declarations belong to the main actor, as Xcode's templates make them.
    .testTarget(
      name: "MainActorTests", dependencies: [.product(name: "ObjectStore", package: "ObjectStore")],
      swiftSettings: settings + [.unsafeFlags(["-default-isolation", "MainActor"])]),
  ]
)
