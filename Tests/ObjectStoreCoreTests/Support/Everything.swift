import Foundation
import ObjectStoreCore
import TestSeeds
import Testing

/// A model with a property of every type of single values, and one that may be nil, by hand.
struct Everything: Model {
  var number = 0
  var wide: Int64 = 0
  var middle: Int32 = 0
  var small: Int16 = 0
  var flag = false
  var single: Float = 0
  var real = 0.0
  var text = ""
  var moment = Date(timeIntervalSinceReferenceDate: 0)
  var key = UUID()
  var data = Data()
  var someNumber: Int?
  var someWide: Int64?
  var someMiddle: Int32?
  var someFlag: Bool?
  var someSingle: Float?
  var someReal: Double?
  var someText: String?
  var someMoment: Date?
  var someKey: UUID?
  var constant = 7
  var objectIdentity = ObjectIdentity<Everything>()

  init() {}

  var objectID: ObjectID<Everything>? {
    get { objectIdentity.id }
    set { objectIdentity.id = newValue }
  }

  static let modelDefinition = ModelDefinition(of: Everything.self, name: "Everything") { model in
    model.property("number", \Everything.number, \Everything?.?.number)
    model.property("wide", \Everything.wide, \Everything?.?.wide)
    model.property("middle", \Everything.middle, \Everything?.?.middle)
    model.property("small", \Everything.small, \Everything?.?.small)
    model.property("flag", \Everything.flag, \Everything?.?.flag)
    model.property("single", \Everything.single, \Everything?.?.single)
    model.property("real", \Everything.real, \Everything?.?.real)
    model.property("text", \Everything.text, \Everything?.?.text)
    model.property("moment", \Everything.moment, \Everything?.?.moment)
    model.property("key", \Everything.key, \Everything?.?.key)
    model.property("data", \Everything.data, \Everything?.?.data)
    model.property("someNumber", \Everything.someNumber, \Everything?.?.someNumber)
    model.property("someWide", \Everything.someWide, \Everything?.?.someWide)
    model.property("someMiddle", \Everything.someMiddle, \Everything?.?.someMiddle)
    model.property("someFlag", \Everything.someFlag, \Everything?.?.someFlag)
    model.property("someSingle", \Everything.someSingle, \Everything?.?.someSingle)
    model.property("someReal", \Everything.someReal, \Everything?.?.someReal)
    model.property("someText", \Everything.someText, \Everything?.?.someText)
    model.property("someMoment", \Everything.someMoment, \Everything?.?.someMoment)
    model.property("someKey", \Everything.someKey, \Everything?.?.someKey)
    model.property("constant", \Everything.constant, \Everything?.?.constant)
  }

  init(from row: inout RowDecoder) throws {
    number = try row.next()
    wide = try row.next()
    middle = try row.next()
    small = try row.next()
    flag = try row.next()
    single = try row.next()
    real = try row.next()
    text = try row.next()
    moment = try row.next()
    key = try row.next()
    data = try row.next()
    someNumber = try row.next()
    someWide = try row.next()
    someMiddle = try row.next()
    someFlag = try row.next()
    someSingle = try row.next()
    someReal = try row.next()
    someText = try row.next()
    someMoment = try row.next()
    someKey = try row.next()
    constant = try row.next()
  }

  func encode(into row: inout RowEncoder) {
    number.encode(into: &row)
    wide.encode(into: &row)
    middle.encode(into: &row)
    small.encode(into: &row)
    flag.encode(into: &row)
    single.encode(into: &row)
    real.encode(into: &row)
    text.encode(into: &row)
    moment.encode(into: &row)
    key.encode(into: &row)
    data.encode(into: &row)
    someNumber.encode(into: &row)
    someWide.encode(into: &row)
    someMiddle.encode(into: &row)
    someFlag.encode(into: &row)
    someSingle.encode(into: &row)
    someReal.encode(into: &row)
    someText.encode(into: &row)
    someMoment.encode(into: &row)
    someKey.encode(into: &row)
    constant.encode(into: &row)
  }
}

extension Everything {
  /// Values near each other and far from each other, few and many, short and long.
  static func random(_ random: inout Numbers) -> Everything {
    var new = Everything()
    let isFar = Int.random(in: 0..<50, using: &random) == 0
    func text(_ random: inout Numbers) -> String {
      let word = ["", "Oslo", "Żyrardów", "a name that does not fit"][Int.random(in: 0..<4, using: &random)]
      return isFar ? String(repeating: word, count: 400) : word
    }
    new.number = isFar ? .random(in: .min ... .max, using: &random) : .random(in: 0..<10, using: &random)
    new.wide = .random(in: -70_000...70_000, using: &random)
    new.middle = .random(in: .min ... .max, using: &random)
    new.small = .random(in: -9...9, using: &random)
    new.flag = .random(using: &random)
    new.single = Float(Int.random(in: 0..<1_000, using: &random)) / 8
    new.real = isFar ? .random(in: -1...1, using: &random) : Double(Int.random(in: 0..<100, using: &random)) / 10
    new.text = text(&random)
    new.moment = Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 0..<9_999, using: &random)))
    new.key = UUID()
    new.data = Data(text(&random).utf8)
    if .random(using: &random) { return new }
    new.someNumber = new.number
    new.someWide = new.wide
    new.someMiddle = new.middle
    new.someFlag = !new.flag
    new.someSingle = -new.single
    new.someReal = new.real * 3
    new.someText = "\(new.number) \(text(&random))"
    new.someMoment = new.moment
    new.someKey = new.key
    return new
  }

  /// Compares the values of each property with those of the objects.
  static func compare(_ results: Results<Everything>) throws {
    let objects = try results.objects()
    func check(_ keyPath: KeyPath<Everything, some PropertyValue>) throws {
      let values = try results.values(of: keyPath)
      #expect(values == objects.map { $0[keyPath: keyPath] }, "\(keyPath)")
    }
    try check(\.number)
    try check(\.wide)
    try check(\.middle)
    try check(\.small)
    try check(\.flag)
    try check(\.single)
    try check(\.real)
    try check(\.text)
    try check(\.moment)
    try check(\.key)
    try check(\.data)
    try check(\.someNumber)
    try check(\.someWide)
    try check(\.someMiddle)
    try check(\.someFlag)
    try check(\.someSingle)
    try check(\.someReal)
    try check(\.someText)
    try check(\.someMoment)
    try check(\.someKey)
    try check(\.constant)
    let some = try results.select(\.someText, \.number, \.data) { "\($0 ?? "-") \($1) \($2.count)" }
    #expect(some == objects.map { "\($0.someText ?? "-") \($0.number) \($0.data.count)" })
  }
}
