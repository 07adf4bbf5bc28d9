import ArgumentParser
import ObjectStoreCore

/// The limits of the store that is opened, besides the time of a statement.
struct LimitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The memory a query may use for its result, as in 500M: K, M and G are powers of 1024.", valueName: "bytes"))
  var limitMemory: ByteCount?

  @Option(help: ArgumentHelp("The most rows a query may have, or a statement change.", valueName: "n"))
  var limitRows: Int?

  @Option(
    help: ArgumentHelp("The longest string or Data that is stored or an argument, 1G if not given.", valueName: "bytes")
  )
  var limitValue: ByteCount?

  @Option(help: ArgumentHelp("The most columns of an entity that is made, 4096 if not given.", valueName: "n"))
  var limitColumns: Int?

  @Option(
    help: ArgumentHelp(
      "The most elements of a collection that is stored or an argument, 10000000 if not given.", valueName: "n"))
  var limitElements: Int?

  func validate() throws {
    let counts = [("rows", limitRows), ("columns", limitColumns), ("elements", limitElements)]
    for case (let name, let count?) in counts where count < 0 {
      throw ValidationError("--limit-\(name) must not be negative")
    }
  }

  /// The limits for opening a store.
  var limits: Store.Limits {
    var limits = Store.Limits()
    limits.memory = limitMemory?.bytes
    limits.rows = limitRows
    if let limitValue { limits.valueBytes = limitValue.bytes }
    if let limitColumns { limits.columns = limitColumns }
    if let limitElements { limits.elements = limitElements }
    return limits
  }
}

/// A number of bytes as typed: `1000`, `64K`, `500M`, `2G`.
struct ByteCount: ExpressibleByArgument {
  let bytes: Int

  init?(argument: String) {
    let shifts: [Character: Int] = ["K": 10, "M": 20, "G": 30]
    let shift = argument.last.flatMap { shifts[Character($0.uppercased())] }
    guard let number = Int(shift == nil ? argument[...] : argument.dropLast()), number >= 0 else { return nil }
    let (bytes, overflows) = number.multipliedReportingOverflow(by: 1 << (shift ?? 0))
    if overflows { return nil }
    self.bytes = bytes
  }
}
