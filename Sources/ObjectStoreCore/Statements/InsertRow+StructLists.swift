internal import Diagnostics
internal import PredicateLanguage
internal import QueryEngine
internal import Schema
internal import Storage
internal import Values

extension InsertRow {
  /// Stores a list of structs in its columns; an empty list if it is not given.
  mutating func fill(_ row: inout NewRow, _ list: StructList, _ given: Field?) {
    guard let given else {
      row.values[list.column] = .int(0)
      for column in list.parts { row.values[column] = .list([]) }
      return
    }
    let values: [(column: Int, value: Value)]
    do throws(StructList.Fault) {
      values = try list.columns(of: given.value, in: entity.columns.map(\.column))
    } catch {
      return report(error, of: list)
    }
    for (position, value) in values {
      row.given.insert(position)
      guard let kept = entity.columns[position].converted(value) else {
        report(entity.columns[position], value, in: list)
        continue
      }
      if entity.columns[position].scalarType == .decimal, reportLostDigits(of: value, position, in: list) { continue }
      row.values[position] = kept
    }
  }

  /// Reports the first struct with a property value that does not fit.
  private mutating func report(_ column: StoredColumn, _ value: Value, in list: StructList) {
    guard mistakes.count < DiagnosticError.most, case .list(let elements) = value,
      let element = elements.firstIndex(where: { column.converted(.list([$0])) == nil })
    else { return report(column, value) }
    let path = place.property(list.path).element(element).property(String(column.path.dropFirst(list.path.count + 1)))
    mistakes.append(text.diagnostic(.typeMismatch, path, "is of type \(column.scalarType.rawValue), which this is not"))
  }

  /// Reports the first number of a property of Decimals in a list of structs that has more digits than a Decimal.
  /// Returns whether there is one.
  private mutating func reportLostDigits(of value: Value, _ column: Int, in list: StructList) -> Bool {
    let path = place.property(list.path)
    guard case .list(let elements) = value, text.numberBeyondDecimals(in: path) != nil else { return false }
    let name = String(entity.columns[column].path.dropFirst(list.path.count + 1))
    return elements.indices.contains {
      reportLostDigits(of: elements[$0], at: path.element($0).property(name))
    }
  }

  private mutating func report(_ fault: StructList.Fault, of list: StructList) {
    guard mistakes.count < DiagnosticError.most else { return }
    let notes: [String]
    let code: DiagnosticCode
    var place = fault.place(in: list, of: place)
    var isName = false
    switch fault.reason {
    case .notAList, .notAStruct:
      (code, notes) = (.typeMismatch, ["write each of its structs as an object, as in [{\"name\": …}, …]"])
    case .unknownProperty(let name, let known):
      let meant = Suggestion.nearest(to: name, among: known)
      (code, isName) = (.unknownProperty, true)
      place.steps.append(.property(name))
      notes = [(meant.map { "did you mean '\($0)'? " } ?? "") + "it has \(known.prefix(20).joined(separator: ", "))"]
    case .missingValue:
      return mistakes.append(text.diagnostic(.missingValue, place, "needs a value"))
    }
    mistakes.append(
      Diagnostic(code: code, message: fault.message, range: text.range(of: place, isName: isName), notes: notes))
  }
}

extension StructList.Fault {
  /// The position of the error in a list of an object; its path begins with that of the list.
  fileprivate func place(in list: StructList, of object: JSONPath) -> JSONPath {
    guard let element else { return object.property(path) }
    return object.property(list.path).element(element).property(String(path.dropFirst(list.path.count + 1)))
  }
}
