import ArgumentParser
import ObjectStoreCore

/// The arguments of an import, shared by the subcommand and `.import`.
struct ImportArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The file to read, or several, compressed by gzip or zstd or not; - is standard input. Then the entity its objects "
        + "belong to, which is made when it is not there. Or a folder that .dump wrote.",
      valueName: "file entity"), completion: StoreWords.fileOrEntity)
  var words: [String]

  @Flag(help: "The format, when the file's name does not say it.")
  var format: ImportFormat?

  @Option(
    help: "A file of schema text that declares the entity, instead of finding the types from the data.",
    completion: .file())
  var schema: String?

  @Option(
    help:
      "Entity.property: one that the store has and the schema text lacks, while one of its type is new: it was not renamed, both stay. May be repeated."
  )
  var keep: [String] = []

  @Option(help: "A property of which no two objects may share a value.", completion: StoreWords.property)
  var key: String?

  @Option(help: ImportArguments.indexHelp, completion: StoreWords.indexes)
  var index: [String] = []

  @Option(
    help:
      "PROPERTY:FORM, how a Date is written: ms and s since 1970, iso, mdy dmy ymd (1/2/2018), d.m.y (1.2.2018), written (Feb 7 2018). May be repeated.",
    completion: StoreWords.date)
  var date: [String] = []

  @Option(
    help:
      "from=to: store the field 'from' in the property 'to', before any other field whose name fits it. May be repeated."
  )
  var map: [String] = []

  @Flag(help: "Replace objects whose key is there already.")
  var upsert = false

  @Option(help: "Write bad rows to this file, with line and reason.", completion: .file())
  var errors: String?

  @Flag(help: "Replace the file of --errors when it is there.")
  var overwrite = false

  @Flag(
    help: "A link {\"@id\": 17} leads to the object 17 of the store when the file itself gives no object a number.")
  var storeIds = false

  @Flag(help: "Exit status 0 when rows were left out as well.")
  var allowErrors = false

  @Option(
    help: "What separates the columns of CSV: one character, or tab. Without it, what the first line uses.",
    completion: .list(["tab", "comma", "semicolon", "pipe", "space"]))
  var delimiter: String?

  @Option(
    help: "What quotes the cells of CSV: one character, or none.", completion: .list(["none"]))
  var quote: String?

  @Flag(
    inversion: .prefixedNo, help: "Whether the first line of CSV names the columns; else they are column1, column2 …")
  var header = true

  @Option(help: "How many lines stand before the first one that counts.")
  var skip = 0

  @Option(help: "A text that is nil in CSV where it is not quoted, such as NA. May be repeated.")
  var null: [String] = []

  @Flag(help: "Numbers in CSV are written as 1.234,5.")
  var decimalComma = false

  @Option(
    help: "The encoding of the file, such as latin1 or utf-16le; UTF-8 without it.",
    completion: .list([
      "utf-8", "utf-16", "utf-16le", "utf-16be", "latin1", "iso-8859-15", "windows-1252", "windows-1251", "koi8-r",
      "shift_jis", "euc-jp", "euc-kr", "gb18030", "big5",
    ]))
  var encoding: String?

  @Option(help: "The keys that lead to the list of objects in a JSON file: items, or result.rows; . is the whole.")
  var rows: String?

  /// The files.
  private var files: ArraySlice<String> { words.count > 1 ? words.dropLast() : words[...] }
  /// nil for a folder.
  private var entity: String? { words.count > 1 ? words.last : nil }
  private var file: String { words.first ?? "-" }

  /// Checks that the arguments are consistent.
  func check() throws {
    guard entity == nil, DumpImport.isFolder(file) else {
      _ = try requests()
      return
    }
    guard format == nil, schema == nil, key == nil, index.isEmpty, date.isEmpty, map.isEmpty, !upsert,
      encoding == nil, rows == nil, !storeIds, try reading() == .usual
    else {
      throw ValidationError("a folder already says what is in it: give only --errors and --keep with it")
    }
  }

  /// Runs the import.
  func run(
    into destination: ImportJob.Destination, console: Console, interruption: Interruption
  ) throws -> ImportSummary {
    guard entity == nil, DumpImport.isFolder(file) else {
      var all = ImportSummary()
      for request in try requests() {
        let summary = try ImportJob(request, console: console, interruption: interruption).run(into: destination)
        all.add(summary)
        if summary.damage != nil { break }
      }
      all.allowsBadRows = allowErrors
      return all
    }
    let dump = DumpImport(
      folder: file, errorsFile: errors, replacesErrors: overwrite, keeping: keep, console: console,
      interruption: interruption)
    var summary = try dump.run(into: destination)
    summary.allowsBadRows = allowErrors
    return summary
  }

  /// The request for each file.
  func requests() throws -> [ImportRequest] {
    try files.enumerated().map { place, file in
      var request = try request(file)
      request.addsErrors = place > 0
      return request
    }
  }

  private func request(_ file: String) throws -> ImportRequest {
    guard let entity else {
      throw ValidationError("Missing expected argument '<entity>': say which entity the objects of \(file) belong to")
    }
    guard entity.split(separator: ".", omittingEmptySubsequences: false).count == 1, PropertyName.isIdentifier(entity)
    else {
      throw ValidationError("'\(entity)' is not a name for an entity: use letters, digits and _, a letter first")
    }
    var request = ImportRequest(file: file, entity: entity, format: format, schemaFile: schema, key: key)
    request.isUpsert = upsert
    request.reading = try reading()
    request.encoding = encoding
    request.rows = rows.map { $0 == "." ? [] : $0.split(separator: ".").map(String.init) }
    request.errorsFile = errors
    request.replacesErrors = overwrite
    request.linksToStore = storeIds
    request.keeping = keep
    for list in index {
      for item in list.split(separator: ",", omittingEmptySubsequences: false) {
        request.indexes.append(try Self.index(String(item), of: list))
      }
    }
    for item in date {
      let parts = item.split(separator: ":", maxSplits: 1).map(String.init)
      guard parts.count == 2, let reading = DateReading(word: parts[1]) else {
        throw ValidationError(
          "'--date \(item)': write PROPERTY:ms, or one of s iso mdy dmy ymd d.m.y written behind the colon")
      }
      request.dates[parts[0]] = reading
    }
    for item in map {
      let parts = item.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, parts[1].split(separator: ".").allSatisfy({ PropertyName.isIdentifier(String($0)) })
      else {
        throw ValidationError("'--map \(item)': write from=to, where to is a property's name")
      }
      request.renamed[parts[0]] = parts[1]
    }
    return request
  }

  /// How delimited text is read.
  private func reading() throws -> DelimitedReading {
    func byte(_ text: String, _ option: String) throws -> UInt8 {
      let named = ["tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "]
      let text = named[text.lowercased()] ?? text
      guard text.utf8.count == 1, let byte = text.utf8.first, byte != 0x0A, byte != 0x0D else {
        throw ValidationError("'\(option) \(text)': write one character of ASCII, or tab")
      }
      return byte
    }
    var reading = DelimitedReading()
    reading.delimiter = try delimiter.map { try byte($0, "--delimiter") }
    if let quote { reading.quote = ["", "none"].contains(quote) ? nil : try byte(quote, "--quote") }
    if let delimiter = reading.delimiter, delimiter == reading.quote {
      throw ValidationError("--delimiter and --quote are the same")
    }
    guard skip >= 0 else { throw ValidationError("'--skip \(skip)': write a number of lines") }
    reading.hasHeader = header
    reading.skippedLines = skip
    reading.nulls = null.map { Array($0.utf8) }
    reading.hasDecimalComma = decimalComma
    return reading
  }

  /// How an index of each kind but the usual is written, and what it is for.
  static let kinds = IndexKind.built.filter { $0 != .ordered }.map { kind in
    (written: "\(kind.rawValue):\(kind.isOverText ? "a" : "a+b")", purpose: kind.purpose)
  }

  private static let indexHelp = ArgumentHelp(
    "Indexes to have: commas separate them, + joins properties to one; "
      + kinds.map { "\($0.written) is for \($0.purpose)" }.joined(separator: "; ") + ". May be repeated.")

  /// An index as written: `mag+time`, `folded:place`, `unique:net+code`.
  private static func index(_ item: String, of list: String) throws -> Index {
    let parts = item.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    var kind = IndexKind.ordered
    if parts.count > 1, let word = parts.first.map({ trimmed(String($0)) }) {
      guard let named = IndexKind.built.first(where: { $0.rawValue == word.lowercased() }) else {
        let words = kinds.map(\.written)
        throw ValidationError(
          "'--index \(list)': there is no kind of index '\(word)'; write "
            + words.dropLast().joined(separator: ", ") + " or \(words.last ?? "")")
      }
      kind = named
    }
    let paths = (parts.last ?? "").split(separator: "+", omittingEmptySubsequences: false).map { trimmed(String($0)) }
    guard paths.allSatisfy({ !$0.isEmpty }) else {
      throw ValidationError("'--index \(list)' has an empty name; write a,b+c")
    }
    return Index(kind: kind, paths: paths)
  }
}

extension ImportFormat: EnumerableFlag {}
