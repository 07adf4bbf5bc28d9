// swift-tools-version: 6.1
import CompilerPluginSupport
import PackageDescription

// Layers, lowest first. A target may import only what it lists here; `.ci/run` has the compiler check it.
//
//   objquery            ObjectStore ── ObjectStoreMacros (the only user of swift-syntax)
//        ╲                 ╱
//          ObjectStoreCore
//                │
//           QueryEngine
//            ╱        ╲
//       Storage   PredicateLanguage
//       ╱     ╲        │
//    LMDB    Schema ───┤
//      │               │
//    CLMDB       Diagnostics, Values

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// `Tools/test` sets it: the modules under test are optimised, so that the tests take a quarter of the time, and keep
// their checks. Never for users, whose packages may not depend on one with unsafe flags.
let isOptimised = Context.environment["OBJECTSTORE_OPTIMISED"] != nil
let whole = ["-whole-module-optimization", "-num-threads", "2", "-gline-tables-only"]
let optimised: [SwiftSetting] = isOptimised ? [.unsafeFlags(["-O", "-assert-config", "Debug"] + whole)] : []
let unoptimised: [SwiftSetting] = isOptimised ? [.unsafeFlags(whole)] : []
let optimisedC: [CSetting] = isOptimised ? [.unsafeFlags(["-O2"])] : []
let optimisedCXX: [CXXSetting] = isOptimised ? [.unsafeFlags(["-O2"])] : []

func library(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings + optimised)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings + unoptimised)
}

let package = Package(
  name: "ObjectStore",
  // No `platforms:`, which can name only systems of Apple: this package is for Linux. `CSystem.h` refuses others.
  products: [
    .library(name: "ObjectStore", targets: ["ObjectStore"]),
    .library(name: "ObjectStoreCore", targets: ["ObjectStoreCore", "SortDescriptors"]),
    .library(name: "PredicateLanguage", targets: ["PredicateLanguage"]),
    .executable(name: "objquery", targets: ["objquery"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    // Each release of the compiler has one. The range is wide, so that other packages with macros can choose.
    .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.1"..<"604.0.0"),
  ],
  targets: [
    // Borrowed, each behind a header of its own.
    .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
    .systemLibrary(name: "CXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"])]),
    .systemLibrary(name: "CEdit", pkgConfig: "libedit", providers: [.apt(["libedit-dev"])]),
    .target(name: "CKernels", cSettings: optimisedC),
    .target(name: "CSystem", cSettings: optimisedC),
    .target(name: "CRE2", cxxSettings: optimisedCXX, linkerSettings: [.linkedLibrary("re2")]),
    .target(name: "CSimdjson", cxxSettings: optimisedCXX, linkerSettings: [.linkedLibrary("simdjson")]),
    .target(name: "CDecoding", cSettings: optimisedC, linkerSettings: [.linkedLibrary("z"), .linkedLibrary("zstd")]),

    // Words shared by all.
    library("Values", []),
    library("Diagnostics", ["Values"]),
    library("Schema", ["Values", "Diagnostics"]),

    // The two halves that know nothing of each other.
    library("LMDB", ["CLMDB", "CSystem"]),
    library("Storage", ["LMDB", "Schema", "Values", "Diagnostics", "CXXHash", "CKernels", "CSystem"]),
    library("PredicateLanguage", ["Values", "Diagnostics"]),

    // Where they meet.
    library(
      "QueryEngine", ["Storage", "PredicateLanguage", "Schema", "Values", "Diagnostics", "CKernels", "CSystem", "CRE2"]),

    // What people use.
    library(
      "ObjectStoreCore",
      ["QueryEngine", "Storage", "PredicateLanguage", "Schema", "Values", "Diagnostics", "CSystem"]),
    // Foundation's sort descriptors, which take longer to load than all the rest.
    library("SortDescriptors", ["ObjectStoreCore"]),
    .macro(
      name: "ObjectStoreMacros",
      dependencies: [
        "PredicateLanguage", "Schema", "Diagnostics",
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
      ],
      swiftSettings: settings),
    library("ObjectStore", ["ObjectStoreCore", "SortDescriptors", "ObjectStoreMacros"]),
    .executableTarget(
      name: "objquery",
      dependencies: [
        "ObjectStoreCore", "PredicateLanguage", "Schema", "Diagnostics", "Values", "CEdit", "CSimdjson", "CDecoding",
        "CSystem",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings + unoptimised),

    // Tests, one target a module. Those that need the macros are at the end of this file.
    .target(name: "TestSeeds", path: "Tests/TestSeeds", swiftSettings: settings),
    .target(name: "TestFixes", dependencies: ["Diagnostics"], path: "Tests/TestFixes", swiftSettings: settings),
    tests("ValuesTests", ["Values", "TestSeeds"]),
    tests("DiagnosticsTests", ["Diagnostics"]),
    tests("SchemaTests", ["TestSeeds", "Schema", "Values", "Diagnostics"], exclude: ["Goldens"]),
    tests("LMDBTests", ["TestSeeds", "LMDB", "LMDBTestHelper"]),
    // What the tests do in other processes: to be killed, to have fewer rights, to meet damage.
    .executableTarget(
      name: "LMDBTestHelper", dependencies: ["LMDB"], path: "Tests/LMDBTestHelper", swiftSettings: settings),
    tests(
      "StorageTests",
      ["TestSeeds", "Storage", "StorageTestHelper", "LMDB", "Schema", "Values", "CKernels", "CXXHash"],
      exclude: ["Stores"]),
    .executableTarget(
      name: "StorageTestHelper", dependencies: ["Storage", "Schema", "Values"], path: "Tests/StorageTestHelper",
      swiftSettings: settings),
    tests(
      "PredicateLanguageTests", ["TestSeeds", "TestFixes", "PredicateLanguage", "Values", "Diagnostics"],
      exclude: ["Goldens"]),
    // The files of `Grammar` against lexers and parsers, and the pictures drawn from them.
    .target(name: "GrammarNotation", path: "Tests/GrammarNotation", swiftSettings: settings + optimised),
    tests(
      "GrammarTests",
      ["TestSeeds", "TestFixes", "GrammarNotation", "PredicateLanguage", "Schema", "Values", "Diagnostics"]),
    tests(
      "QueryEngineTests",
      [
        "TestSeeds", "TestFixes", "QueryEngine", "Storage", "LMDB", "PredicateLanguage", "Schema", "Values",
        "Diagnostics",
      ]
    ),
    tests(
      "ObjectStoreCoreTests",
      [
        "TestSeeds", "TestFixes", "ObjectStoreCore", "PredicateLanguage", "Storage", "LMDB", "Schema", "Values",
        "Diagnostics", "SortDescriptors", "ObjectStoreCoreTestHelper", "EnduranceTestHelper",
      ],
      exclude: ["Goldens"]),
    // Load, and power failures: a program in which the functions that write and sync are recorded.
    .target(name: "WriteRecorder", path: "Tests/WriteRecorder"),
    .executableTarget(
      name: "EnduranceTestHelper", dependencies: ["ObjectStoreCore", "WriteRecorder", "TestSeeds"],
      path: "Tests/EnduranceTestHelper", swiftSettings: settings),
    .executableTarget(
      name: "ObjectStoreCoreTestHelper", dependencies: ["ObjectStoreCore", "Schema", "TestSeeds"],
      path: "Tests/ObjectStoreCoreTestHelper",
      swiftSettings: settings),
    tests(
      "ObjqueryTests",
      [
        "TestSeeds", "objquery", "ObjectStoreCore", "PredicateLanguage", "Diagnostics", "Values", "CSimdjson",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
  ]
)

// `Tools/test` and `Tools/sanitize` set it: the only tests to build. Those of the macros are built only where they are
// named, so that nothing else builds swift-syntax.
if let names = Context.environment["OBJECTSTORE_TESTS"]?.split(separator: " ").map(String.init) {
  package.targets.append(tests("ObjectStoreTests", ["ObjectStore", "Schema"], exclude: ["Fixtures"]))
  #if compiler(>=6.2)
    // A module whose declarations belong to the main actor, as Xcode's templates make them. The option is new in 6.2.
    package.targets.append(
      .testTarget(
        name: "MainActorTests", dependencies: ["ObjectStore"],
        swiftSettings: settings + unoptimised + [.unsafeFlags(["-default-isolation", "MainActor"])]))
  #endif
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}
