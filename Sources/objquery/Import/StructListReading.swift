import CSimdjson
import ObjectStoreCore
internal import Schema

/// Converts one field of the data, an array of objects, to the columns of a list of structs, or explains why it can't.
final class StructListReading {
  let list: StructList
  private let columns: [Column]
  private let elements: ElementReader
  private let object = ObjectText()
  /// The leaves and optional structs, by their dotted path within a struct.
  private let leaves: [String: Leaf]
  /// The leaves in the order of their columns.
  private let ordered: [Leaf]
  private let structures: [String: [Int]]
  /// Paths of the data without a property, in the order of their occurrence.
  var leftOut: [String] { leftOutPaths.paths }
  private var leftOutPaths = LeftOutPaths()

  private struct Leaf {
    let column: Int
    let reading: ValueReading
    /// The presence columns of the structs around it.
    let presences: [Int]
  }

  /// - Parameter dates: how dates are written, by the path of their property.
  init(_ list: StructList, columns: [Column], dates: [String: DateReading], elements: ElementReader) {
    self.list = list
    self.columns = columns
    self.elements = elements
    var leaves: [String: Leaf] = [:]
    var structures: [String: [Int]] = [:]
    func collect(_ fields: [StructList.Field], prefix: String, presences: [Int]) {
      for field in fields {
        let path = prefix + field.name
        switch field.node {
        case .leaf(let column):
          guard case .parts(let type, _) = columns[column].kind else { continue }
          let reading = ValueReading(type: type, dates: dates["\(list.path).\(path)"])
          leaves[path] = Leaf(column: column, reading: reading, presences: presences)
        case .structure(let presence, let inner):
          let around = presences + (presence.map { [$0] } ?? [])
          structures[path] = around
          collect(inner, prefix: path + ".", presences: around)
        }
      }
    }
    collect(list.fields, prefix: "", presences: [])
    self.leaves = leaves
    ordered = leaves.values.sorted { $0.column < $1.column }
    self.structures = structures
  }

  enum Outcome {
    case columns([(column: Int, value: Value)])
    /// The reason for the failure, to be appended to the path of the list: `[0].name has no value`.
    case unfit(String)
  }

  func read(_ field: Field) -> Outcome {
    if field.kind == csj_null { return .columns([]) }
    switch elements.read(field, keyed: false) {
    case .unfit(let reason): return .unfit(": \(reason)")
    case .elements(let fields):
      var values = Dictionary(uniqueKeysWithValues: list.parts.map { ($0, [Value]()) })
      for (place, field) in fields.enumerated() {
        if let reason = read(field, into: &values) { return .unfit("[\(place)]\(reason)") }
      }
      return .columns(
        [(list.column, .int(Int64(fields.count)))] + list.parts.map { ($0, .list(values[$0] ?? [])) })
    }
  }

  /// Reads one struct; returns a sentence when it is invalid.
  private func read(_ field: Field, into values: inout [Int: [Value]]) -> String? {
    guard field.kind == csj_object else { return ": a struct is an object with its properties" }
    guard let record = object.read(Array(field.bytes)) else { return ": \(object.problem)" }
    var own: [Int: Value] = [:]
    for field in record {
      let path = object.name(ofPath: field.path)
      if let leaf = leaves[path] {
        switch leaf.reading.read(field) {
        case .unfit(let reason): return ".\(path): \(reason)"
        case .value(.null): continue
        case .value(let value):
          guard own.updateValue(value, forKey: leaf.column) == nil else {
            return ".\(path): the name is there twice, in two Unicode normal forms"
          }
          for presence in leaf.presences { own[presence] = .bool(true) }
        }
      } else if let presences = structures[path] {
        if field.kind == csj_object {
          for presence in presences { own[presence] = .bool(true) }
        } else if field.kind != csj_null {
          return ".\(path): expected an object"
        }
      } else {
        let whole = "\(list.path).\(path)"
        if !leftOutPaths.cover(whole) { leftOutPaths.add(whole) }
      }
    }
    for leaf in ordered where own[leaf.column] == nil {
      guard leaf.presences.allSatisfy({ own[$0] != nil }), let part = columns[leaf.column].part else { continue }
      own[leaf.column] = part.makeDefault()
      if part.isRequired, own[leaf.column]?.isNull ?? true {
        return "\(columns[leaf.column].path.dropFirst(list.path.count)) has no value, and may not be nil"
      }
    }
    for part in list.parts { values[part]?.append(own[part] ?? .null) }
    return nil
  }
}
