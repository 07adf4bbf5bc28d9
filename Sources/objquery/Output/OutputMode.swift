/// How results are shown.
enum OutputMode: String, CaseIterable {
  case table, box, csv, tsv, json, jsonl, geojson, line, markdown, html, insert, chart, count, ids, none

  /// One line for the help.
  var summary: String {
    switch self {
    case .table: "columns between plain lines"
    case .box: "columns in a drawn box"
    case .csv: "comma-separated, as RFC 4180 has it"
    case .tsv: "tab-separated, with \\t, \\n and \\\\ escaped, \"\" for the empty text"
    case .json: "an array of objects"
    case .jsonl: "an object a line"
    case .geojson: "a FeatureCollection of objects with a place"
    case .line: "a property a line"
    case .markdown: "a Markdown table"
    case .html: "a page with a table"
    case .insert: "INSERT statements"
    case .chart: "bars of GROUP BY … @count, or a histogram of one column"
    case .count: "only how many there are"
    case .ids: "only the unique property, or the object's number"
    case .none: "nothing"
    }
  }
}
