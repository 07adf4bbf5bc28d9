import Foundation
import ObjectStore

@Model struct Location {
  var name: String
  var longitude: Double
  var latitude: Double
}

@Model struct Quake {
  #Index<Quake>([\.time], [\.magnitude, \.time])
  @Attribute(.unique) var code: String
  var magnitude: Double
  var time: Date
  var location: Location
  var origin: Location?
  var felt: Int?
}

@Model struct Everything {
  var flag = false, tiny: Int8 = -1, small: Int16, medium: Int32 = 3
  var whole = 0, wide: Int64 = 9
  var single: Float = 0.5
  var number = 1.5
  var text = ""
  @Attribute(originalName: "when") var moment = Date()
  var key = UUID()
  var bytes: Data = Data()
  var maybe: Bool?
  var `in`: String?
  let fixed: Int
  var double: Double { number * 2 }
  static let shared = 1
}
