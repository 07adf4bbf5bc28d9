/// Unicode's full case folding (the C and F mappings of `CaseFolding.txt`), a scalar at a time.
///
/// The standard library has case mappings but no folding. Folding is lower case of upper case of lower case, save for
/// scalars that folding leaves alone (dotless `ı`), and Cherokee, which folds to capitals.
enum CaseFolding {
  /// Adds what `scalar` folds to, as UTF-8.
  static func append(_ scalar: UInt32, to folded: inout [UInt8]) {
    if scalar < common.count {
      let simple = common[Int(scalar)]
      if simple != several {
        UTF8Scalars.append(simple, to: &folded)
        return
      }
    }
    for part in fold(scalar) { UTF8Scalars.append(part, to: &folded) }
  }

  /// What `scalar` folds to: one to three scalars.
  static func fold(_ scalar: UInt32) -> [UInt32] {
    // "Changes" leaves out scalars that fold to no more than their decomposition, such as `ǰ`; those have capitals of
    // several scalars.
    // The one scalar that folds to its decomposition and has a capital of one scalar: Greek prosgegrammeni.
    if scalar == 0x1FBE { return [0x3B9] }
    guard let unicode = Unicode.Scalar(scalar),
      unicode.properties.changesWhenCaseFolded || unicode.properties.uppercaseMapping.unicodeScalars.count > 1
    else { return [scalar] }
    switch scalar {
    case 0x13F8...0x13FD: return [scalar - 8]
    case 0xAB70...0xABBF: return [scalar - 0xAB70 + 0x13A0]
    default: break
    }
    let lower = unicode.properties.lowercaseMapping.unicodeScalars
    let upper = lower.flatMap { $0.properties.uppercaseMapping.unicodeScalars }
    return upper.flatMap { $0.properties.lowercaseMapping.unicodeScalars.map(\.value) }
  }

  /// Marks a scalar of `common` that folds to more than one.
  private static let several: UInt32 = .max

  /// Foldings of Latin, Greek, Cyrillic and Armenian, made once.
  private static let common: [UInt32] = (0..<0x590).map { (scalar: UInt32) in
    let folded = fold(scalar)
    return folded.count == 1 ? folded[0] : several
  }
}
