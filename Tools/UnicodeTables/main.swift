// Prints one table of Sources/Storage/Text from the files of Unicode's character database, which it reads from its
// standard input, one after the other. `Tools/unicode-tables` runs it.

/// What the database says of the scalars that matter here.
struct CharacterData {
  /// Mappings of `CaseFolding.txt` with the status C: to one scalar.
  var simpleFoldings: [(scalar: UInt32, folded: UInt32)] = []
  /// Those with the status F: to several.
  var fullFoldings: [(scalar: UInt32, folded: [UInt32])] = []
  /// Canonical decompositions of `UnicodeData.txt`, one step each.
  var decompositions: [UInt32: [UInt32]] = [:]
  /// Scalars of the general category Mn, ascending.
  var nonspacingMarks: [UInt32] = []

  /// Takes a line of either file in: they differ in their number of fields.
  mutating func read(_ line: String) {
    let line = line.prefix { $0 != "#" }
    let fields = line.split(separator: ";", omittingEmptySubsequences: false).map { field in
      String(field.drop { $0 == " " })
    }
    switch fields.count {
    case 4:
      guard let scalar = UInt32(fields[0], radix: 16) else { return }
      let folded = Self.scalars(fields[2])
      if fields[1] == "C", let first = folded.first { simpleFoldings.append((scalar, first)) }
      if fields[1] == "F" { fullFoldings.append((scalar, folded)) }
    case 15:
      guard let scalar = UInt32(fields[0], radix: 16) else { return }
      if fields[2] == "Mn" { nonspacingMarks.append(scalar) }
      // A decomposition that begins with <…> is one of compatibility.
      if !fields[5].isEmpty, !fields[5].hasPrefix("<") { decompositions[scalar] = Self.scalars(fields[5]) }
    default: break
    }
  }

  private static func scalars(_ field: String) -> [UInt32] {
    field.split(separator: " ").compactMap { UInt32($0, radix: 16) }
  }

  /// Runs of simple foldings that are equally far apart and add the same.
  var runs: [(first: UInt32, last: UInt32, step: UInt32, added: Int)] {
    var runs: [(first: UInt32, last: UInt32, step: UInt32, added: Int)] = []
    for (scalar, folded) in simpleFoldings {
      let added = Int(folded) - Int(scalar)
      if let run = runs.last, run.added == added {
        let step = scalar - run.last
        if step == run.step || run.first == run.last && step == 2 {
          runs[runs.count - 1].last = scalar
          runs[runs.count - 1].step = step
          continue
        }
      }
      runs.append((scalar, scalar, 1, added))
    }
    return runs
  }

  /// Ranges of nonspacing marks.
  var markRanges: [(first: UInt32, last: UInt32)] {
    nonspacingMarks.reduce(into: []) { ranges, scalar in
      if let last = ranges.last?.last, last + 1 == scalar {
        ranges[ranges.count - 1].last = scalar
      } else {
        ranges.append((scalar, scalar))
      }
    }
  }

  /// What is left of each decomposable scalar without its nonspacing marks; marks themselves are not among them.
  var bases: [(scalar: UInt32, left: [UInt32])] {
    let marks = Set(nonspacingMarks)
    func decomposed(_ scalar: UInt32) -> [UInt32] { decompositions[scalar]?.flatMap(decomposed) ?? [scalar] }
    return decompositions.keys.sorted().filter { !marks.contains($0) }.map { scalar in
      (scalar, decomposed(scalar).filter { !marks.contains($0) })
    }
  }
}

func hexadecimal(_ scalar: UInt32) -> String { "0x" + String(scalar, radix: 16, uppercase: true) }

/// Entries in lines of at most 118 columns. No entry is broken.
func printTable(_ entries: [String]) {
  var line = "   "
  for entry in entries {
    if line.count + entry.count + 2 > 118 {
      print(line)
      line = "   "
    }
    line += " \(entry),"
  }
  print(line)
}

var data = CharacterData()
while let line = readLine() { data.read(line) }
switch CommandLine.arguments.dropFirst().first {
case "runs":
  printTable(data.runs.map { "\(hexadecimal($0.first)), \(hexadecimal($0.last)), \($0.step), \($0.added)" })
case "several":
  printTable(
    data.fullFoldings.map { "\(hexadecimal($0.scalar)): [\($0.folded.map(hexadecimal).joined(separator: ", "))]" })
case "ranges":
  printTable(data.markRanges.map { "\(hexadecimal($0.first)), \(hexadecimal($0.last))" })
case "singles":
  printTable(
    data.bases.filter { $0.left.count == 1 }.map { "\(hexadecimal($0.scalar)), \(hexadecimal($0.left[0]))" })
case "others":
  printTable(
    data.bases.filter { $0.left.count > 1 }.map {
      "\(hexadecimal($0.scalar)): [\($0.left.map(hexadecimal).joined(separator: ", "))]"
    })
default: print("usage: runs | several | ranges | singles | others")
}
