import Glibc

/// The formats of files that can be imported.
enum ImportFormat: String, CaseIterable {
  case json, jsonl, csv, tsv, geojson

  /// By the file's name, and for `.json` by its first bytes.
  static func detect(path: String, window: ByteWindow) throws(ByteWindow.Failure) -> ImportFormat {
    let name = path.lowercased()
    let endings: [(String, ImportFormat)] = [
      (".geojson", .geojson), (".jsonl", .jsonl), (".ndjson", .jsonl), (".csv", .csv), (".tsv", .tsv), (".tab", .tsv),
    ]
    if let ending = endings.first(where: { name.hasSuffix($0.0) }) { return ending.1 }
    guard let byte = try window.skipWhiteSpace() else {
      try window.rewind()
      return name.hasSuffix(".json") ? .json : .csv
    }
    let head = String(decoding: window.available.prefix(4096), as: UTF8.self)
    try window.rewind()
    switch byte {
    case UInt8(ascii: "["): return .json
    case UInt8(ascii: "{"):
      if head.contains("\"FeatureCollection\"") { return .geojson }
      // An object that ends on its line with another below it: lines.
      let lines = head.split(separator: "\n", maxSplits: 2)
      return lines.count > 1 && lines[0].last == "}" && lines[1].first == "{" ? .jsonl : .json
    default: return name.hasSuffix(".json") ? .json : .csv
    }
  }

  /// A reader of the format.
  func reader(_ window: ByteWindow) throws(ByteWindow.Failure) -> any RecordReader {
    switch self {
    case .json: return try JSONReader(window, layout: .document)
    case .jsonl: return try JSONReader(window, layout: .lines)
    case .csv: return try CSVReader(window)
    case .tsv: return try CSVReader(window, form: .tsv)
    case .geojson: return GeoJSONReader(try JSONReader(window, layout: .member("features")))
    }
  }
}
