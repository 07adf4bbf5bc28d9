import Schema
import Values

/// Random lists of structs, column by column: how long each is, and where structs within are missing.
struct RandomParts {
  private var lengths: [String: Int] = [:]
  /// Of optional structs within, in which structs of the list they are not.
  private var absent: [String: [Bool]] = [:]

  /// The value of a column of a list, the next in the order of columns; nil for other columns. `length` is that of a
  /// list which begins here.
  mutating func value(of column: Column, length: Int, _ random: inout OracleRandom) -> Value? {
    switch column.kind {
    case .structs:
      lengths[column.path + "."] = length
      return .int(Int64(length))
    case .presences:
      let missing = (0..<size(of: column)).map { isAbsent(column, $0) || random.once(in: 3) }
      absent[column.path + "."] = missing
      return .list(missing.map { $0 ? .null : .bool(true) })
    case .parts(let type, _):
      let isOptional = column.part?.isRequired == false
      return .list(
        (0..<size(of: column)).map { place in
          if isAbsent(column, place) || isOptional && random.once(in: 4) { return .null }
          return RandomGraph.value(type, &random)
        })
    default: return nil
    }
  }

  private func size(of column: Column) -> Int {
    lengths.filter { column.path.hasPrefix($0.key) }.max { $0.key.count < $1.key.count }?.value ?? 0
  }

  private func isAbsent(_ column: Column, _ place: Int) -> Bool {
    absent.contains { column.path.hasPrefix($0.key) && $0.value[place] }
  }
}

extension Column.Kind {
  /// Whether it is a column of a list of structs, which is changed with the others only.
  var isOfList: Bool {
    if case .structs = self { true } else { isPart }
  }
}
