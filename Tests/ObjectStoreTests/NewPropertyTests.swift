import Foundation
import ObjectStore
import Schema
import Testing

/// Properties that a later version of a model adds: objects that are there get their defaults, made anew for each where
/// they are expressions.
@Suite struct NewPropertyTests {
  @Test func expressionsAreRunForEachObject() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("new-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = try SchemaText.parse("@Model struct Parcel { var weight: Int; var old: String }")
    do {
      let store = try Store.openDynamic(folder.path, mode: .create, schema: first)
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
    // Others make them too: the file knows the expressions.
    _ = try store.run(#"INSERT Parcel {"weight": 4, "label": {"text": "x"}}"#)
    #expect(Set(try store.objects(Parcel.self).objects().map(\.code)).count == 4)
  }

  @Test func aModelIsRenamed() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("renamed-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = try SchemaText.parse(
      "@Model(.entity) struct Box { var weight: Int }; @Model struct Van { var name: String; var boxes: List<Box> }")
    do {
      let store = try Store.openDynamic(folder.path, mode: .create, schema: first)
      _ = try store.run(#"INSERT Van {"name": "v", "boxes": [{"weight": 3}]}"#)
    }
    let store = try Store(folder, models: Crate.self, Van.self)
    #expect(try store.objects(Crate.self).objects().map(\.weight) == [3])
    #expect(try store.objects(Van.self).filter("ANY boxes.weight == 3").count == 1)
    #expect(try store.check().isWhole)
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

@Model(originalName: "Case", "Box") struct Crate { var weight: Int }

@Model struct Van { var name: String; var boxes: List<Crate> }
