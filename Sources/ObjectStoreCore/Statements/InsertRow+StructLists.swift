internal import Diagnostics
internal import QueryEngine
internal import Schema
internal import Storage
internal import Values

extension InsertRow {
  /// Puts a list of structs into its columns; one that is not given has none.
  mutating func fill(_ row: inout NewRow, _ list: StructList, _ given: Field?) {
    guard let given else {
      for column in [list.column] + list.parts { row.values[column] = entity.columns[column].column.defaultValue }
      return
    }
    let values: [(column: Int, value: Value)]
    do throws(StructList.Fault) {
      values = try list.columns(of: given.value, in: entity.columns.map(\.column))
    } catch {
      return report(error, given.range)
    }
    for (position, value) in values {
      row.given.insert(position)
      guard let kept = entity.columns[position].converted(value) else {
        mistakes += entity.columns[position].mismatch(value, source: source, range: given.range).diagnostics
        continue
      }
      row.values[position] = kept
    }
  }

  private mutating func report(_ fault: StructList.Fault, _ range: SourceRange) {
    switch fault.reason {
    case .notAList, .notAStruct:
      report(
        .typeMismatch, fault.message, range, notes: ["write each of its structs as an object, as in [{\"name\": …}, …]"]
      )
    case .unknownProperty(let name, let known):
      let meant = Suggestion.nearest(to: name, among: known)
      report(
        .unknownProperty, fault.message, range,
        notes: [(meant.map { "did you mean '\($0)'? " } ?? "") + "it has \(known.prefix(20).joined(separator: ", "))"])
    case .missingValue: report(.missingValue, fault.message, range)
    }
  }
}
