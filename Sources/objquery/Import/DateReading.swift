import ObjectStoreCore

/// How the values of a Date property are written in the data.
enum DateReading: Equatable {
  /// Milliseconds since 1970.
  case milliseconds
  /// Seconds since 1970.
  case seconds
  /// Text in one format.
  case text(DateForm)

  /// The words after the colon of `--date time:ms`.
  static let words = ["ms", "s", "iso", "mdy", "dmy", "ymd", "d.m.y", "written"]

  /// From the word after the colon of `--date time:ms`.
  init?(word: String) {
    switch word.lowercased() {
    case "ms": self = .milliseconds
    case "s": self = .seconds
    case "iso": self = .text(.iso)
    case "mdy": self = .text(.monthFirst)
    case "dmy": self = .text(.dayFirst)
    case "ymd": self = .text(.yearFirst)
    case "d.m.y": self = .text(.dotted)
    case "written": self = .text(.written)
    default: return nil
    }
  }
}
