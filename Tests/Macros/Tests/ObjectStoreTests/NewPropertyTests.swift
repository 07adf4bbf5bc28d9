import Foundation
import ObjectStore
import Testing

/// Properties that a later version of a model adds: objects that are there get their defaults, made anew for each where
/// they are expressions.
@Suite struct NewPropertyTests {
  @Test func expressionsAreRunForEachObject() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("new-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = try SchemaText.parse("@Model struct Parcel { var weight: Int; var old: String }")
    do {
      let store = try Store.openDynamic(folder.path, mode: .createIfMissing, schema: first)
      for weight in 1...3 { _ = try store.run("INSERT Parcel {\"weight\": \(weight), \"old\": \"x\"}") }
    }
    let start = Date()
    let parcels = try Store(folder, models: Parcel.self).objects(Parcel.self).objects()
    #expect(parcels.map(\.weight) == [1, 2, 3])
    #expect(Set(parcels.map(\.code)).count == 3)
    #expect(parcels.allSatisfy { $0.made >= start && $0.label.text == "none" && $0.count == 1 })
    #expect(Set(parcels.map(\.label.number)).count == 3)
    let store = try Store(folder, models: Parcel.self, removing: ["Parcel.old"])
    #expect(try store.objects(Parcel.self).objects() == parcels)
    #expect(try store.schema.entity(named: "Parcel")?.property(named: "old") == nil)
  }
}

@Model struct Label {
  var text: String
  var number = UUID()
}

@Model struct Parcel {
  var weight: Int
  @Attribute(.unique) var code = UUID()
  var made = Date()
  var label: Label = Label(text: "none")
  var count = 1
}
