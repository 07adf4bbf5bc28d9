import Foundation
import ObjectStoreCore
import TestSeeds

/// A store of quakes with values of very different distributions, each linked to a region, and statements about them.
struct QuakesAndRegions {
  let store: Store
  let regions: Int

  static let schema: Schema = {
    func property(_ name: String, _ type: PropertyType, isOptional: Bool = false) -> Property {
      Property(name: name, type: type, isOptional: isOptional)
    }
    let point = Entity(
      name: "Point",
      properties: [property("longitude", .scalar(.double)), property("latitude", .scalar(.double))])
    let region = Entity(
      name: "Region", properties: [property("name", .scalar(.string)), property("size", .scalar(.int))])
    let quake = Entity(
      name: "Quake",
      properties: [
        property("code", .scalar(.string)), property("mag", .scalar(.double), isOptional: true),
        property("net", .scalar(.string)), property("time", .scalar(.date)), property("place", .scalar(.string)),
        property("sig", .scalar(.int)), property("location", .embedded("Point")),
        property("region", .link("Region"), isOptional: true),
      ], indexes: [Index(kind: .unique, paths: ["code"])])
    return Schema(entities: [region, quake], embedded: [point])
  }()

  /// A store whose values depend on a seed.
  init(seed: UInt64, quakes: Int = 8_000, regions: Int = 60) throws {
    var random = SeededNumbers(seed)
    self.regions = regions
    store = try Store.inMemory(schema: Self.schema)
    // How skewed the words are, and whether times come in order.
    let skew = Double.random(in: 1...4, using: &random)
    let isInOrder = Bool.random(using: &random)
    func skewed(_ count: Int) -> Int {
      var share = Double.random(in: 0..<1, using: &random)
      for _ in 1..<Int(skew) { share *= Double.random(in: 0..<1, using: &random) }
      return Int(share * Double(count))
    }
    try store.write { tx in
      let places = try tx.inserter(for: "Region")
      for number in 0..<regions { try places.append([.string("region\(number)"), .int(Int64(number % 50))]) }
      let rows = try tx.inserter(for: "Quake")
      for number in 0..<quakes {
        let moment = isInOrder ? number : Int.random(in: 0..<quakes, using: &random)
        let magnitude = -log(Double.random(in: 0.0001..<1, using: &random))
        let region = Int.random(in: 0..<regions, using: &random)
        try rows.append([
          .string("q\(number)"), number % 50 == 0 ? .null : .double((magnitude * 100).rounded() / 100),
          .string("net\(skewed(9))"), .date(Instant(secondsSince1970: Double(1_517_000_000 + 157 * moment))),
          .string("\(Int.random(in: 0..<99, using: &random))km NE of town\(skewed(400)), region\(region)"),
          .int(Int64.random(in: 0..<1_000, using: &random)), .double(Double.random(in: -180..<180, using: &random)),
          .double(Double.random(in: -90..<90, using: &random)), .int(Int64(region + 1)),
        ])
      }
    }
  }

  /// A statement that an index may help, or not.
  func randomStatement(using random: inout SeededNumbers) -> String {
    let head = Bool.random(using: &random) ? "COUNT Quake" : "Quake"
    let conditions = (0..<Int.random(in: 1...2, using: &random)).map { _ in condition(&random) }
    let filter = " WHERE " + conditions.joined(separator: Bool.random(using: &random) ? " AND " : " OR ")
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      return
        "Quake\(filter) SORT BY \(["time DESC", "mag", "sig, mag"].randomElement(using: &random) ?? "mag") LIMIT 10"
    case 1: return "Quake SORT BY \(["time", "mag DESC", "net, sig"].randomElement(using: &random) ?? "mag") LIMIT 5"
    case 2: return "Quake GROUP BY net SELECT net, @count"
    case 3: return "Quake SELECT @max.mag, @min.mag"
    case 4: return "Quake DISTINCT net"
    case 5: return "Quake\(filter) LIMIT 3"
    default: return head + filter
    }
  }

  private func condition(_ random: inout SeededNumbers) -> String {
    let number = Int.random(in: 0..<1_000, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return "sig == \(number)"
    case 1: return "sig BETWEEN {\(number), \(number + 20)}"
    case 2: return "mag > \(Double(number % 90) / 10)"
    case 3: return "mag == nil"
    case 4: return "net == 'net\(number % 9)'"
    case 5: return "net IN {'net7', 'net8'}"
    case 6: return "place CONTAINS[c] 'TOWN\(number % 400),'"
    case 7: return "place BEGINSWITH '\(number % 99)km NE of town\(number % 40)'"
    case 8: return "place BEGINSWITH[c] '\(number % 99)KM ne of TOWN\(number % 40)'"
    case 9: return "region.name == 'region\(number % regions)'"
    case 10: return "region.size == \(number % 60)"
    default: return "location.latitude > \(Double(number) * 0.18 - 90)"
    }
  }
}
