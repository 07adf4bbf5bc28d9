// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "earthquakes",
  dependencies: [.package(name: "ObjectStore", path: "../../..")],
  targets: [
    .executableTarget(name: "earthquakes", dependencies: [.product(name: "ObjectStore", package: "ObjectStore")])
  ]
)
