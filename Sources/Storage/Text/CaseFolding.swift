/// Unicode's full case folding of a scalar, with its own tables, so that it is the same on every platform. This is the
/// definition; strings are folded by a `FoldingTable` made from it.
enum CaseFolding {
  /// The folding of `scalar`: one to three scalars.
  static func fold(_ scalar: UInt32) -> [UInt32] { CaseMappings.several[scalar] ?? [simple(scalar)] }

  /// The folding of a scalar to a single scalar.
  private static func simple(_ scalar: UInt32) -> UInt32 {
    let runs = CaseMappings.runs
    let wanted = Int32(truncatingIfNeeded: scalar)
    var low = 0
    var high = runs.count / 4
    while low < high {
      let middle = (low + high) / 2
      if runs[middle * 4 + 1] < wanted { low = middle + 1 } else { high = middle }
    }
    guard low < runs.count / 4, runs[low * 4] <= wanted, (wanted - runs[low * 4]) % runs[low * 4 + 2] == 0 else {
      return scalar
    }
    return UInt32(truncatingIfNeeded: wanted + runs[low * 4 + 3])
  }

  /// Every scalar that does not fold to itself.
  static var changing: [UInt32] {
    let runs = CaseMappings.runs
    return stride(from: 0, to: runs.count, by: 4).flatMap { run in
      stride(from: runs[run], through: runs[run + 1], by: Int(runs[run + 2])).map(UInt32.init)
    } + CaseMappings.several.keys
  }
}
