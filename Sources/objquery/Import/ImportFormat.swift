import Glibc

/// The formats of files that can be imported.
enum ImportFormat: String, CaseIterable {
  case json, jsonl, csv, tsv, geojson

  /// What the ending of a file's name says, whether the file is compressed or not, and the path without it; nil for any
  /// other ending.
  static func named(_ path: String) -> (format: ImportFormat, rest: String)? {
    let formats: KeyValuePairs<String, ImportFormat> = [
      ".geojson": .geojson, ".jsonl": .jsonl, ".ndjson": .jsonl, ".csv": .csv, ".tsv": .tsv, ".tab": .tsv,
      ".json": .json,
    ]
    let plain = FileCompression.plainName(of: path)
    let name = plain.lowercased()
    return formats.first { name.hasSuffix($0.key) }.map { ($0.value, String(plain.dropLast($0.key.count))) }
  }

  /// By the file's name, and for `.json` by its first bytes.
  static func detect(path: String, window: ByteWindow) throws(ByteWindow.Failure) -> ImportFormat {
    let named = named(path)?.format
    if let named, named != .json { return named }
    guard let byte = try window.skipWhiteSpace() else {
      try window.rewind()
      return named ?? .csv
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
    default: return named ?? .csv
    }
  }

  /// Refuses the options of a request that say nothing about the format.
  func refuseOptions(of request: ImportRequest) throws {
    let options: [String]
    switch self {
    case .json: options = request.reading.options
    case .jsonl, .geojson: options = request.reading.options + (request.rows == nil ? [] : ["--rows"])
    case .csv, .tsv: options = request.rows == nil ? [] : ["--rows"]
    }
    guard let first = options.first else { return }
    throw CommandFailure(
      description: "\(first) is not for \(rawValue), which \(request.file) is: it is for "
        + (first == "--rows" ? "json" : "csv and tsv"), status: .usage, code: "usage")
  }

  /// A reader of the format.
  ///
  /// - Parameter rows: The keys that lead to the list of objects in a document of JSON; empty for the document itself.
  func reader(
    _ window: ByteWindow, reading: DelimitedReading = .usual, rows: [String] = []
  ) throws(ByteWindow.Failure) -> any RecordReader {
    switch self {
    case .json: return try JSONReader(window, layout: rows.isEmpty ? .document : .member(rows))
    case .jsonl: return try JSONReader(window, layout: .lines)
    case .csv: return try CSVReader(window, reading: reading)
    case .tsv: return try CSVReader(window, form: .tsv, reading: reading)
    case .geojson: return GeoJSONReader(try JSONReader(window, layout: .member(["features"])))
    }
  }
}
