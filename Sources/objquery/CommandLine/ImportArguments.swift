import ArgumentParser
import ObjectStoreCore

/// The arguments of an import, shared by the subcommand and `.import`.
struct ImportArguments: ParsableArguments {
  @Argument(help: "The file to read; - is standard input. Or a folder that .dump wrote.", completion: .file())
  var file: String

  @Argument(help: "The entity its objects belong to; it is made when it is not there. None for a folder.")
  var entity: String?

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

  @Option(help: "A property of which no two objects may share a value.")
  var key: String?

  @Option(help: ImportArguments.indexHelp)
  var index: [String] = []

  @Option(help: "PROPERTY:ms, :s or :iso, how a Date is written. May be repeated.")
  var date: [String] = []

  @Option(help: "from=to: store the field 'from' in the property 'to'. May be repeated.")
  var map: [String] = []

  @Flag(help: "Replace objects whose key is there already.")
  var upsert = false

  @Option(help: "Write bad rows to this file, with line and reason.", completion: .file())
  var errors: String?

  /// Checks that the arguments are consistent.
  func check() throws {
    guard entity == nil, DumpImport.isFolder(file) else {
      _ = try request()
      return
    }
    guard format == nil, schema == nil, key == nil, index.isEmpty, date.isEmpty, map.isEmpty, !upsert else {
      throw ValidationError("a folder already says what is in it: give only --errors and --keep with it")
    }
  }

  /// Runs the import.
  func run(
    into destination: ImportJob.Destination, console: Console, interruption: Interruption
  ) throws -> ImportSummary {
    guard entity == nil, DumpImport.isFolder(file) else {
      return try ImportJob(try request(), console: console, interruption: interruption).run(into: destination)
    }
    return try DumpImport(folder: file, errorsFile: errors, keeping: keep, console: console, interruption: interruption)
      .run(into: destination)
  }

  /// The request for one file.
  func request() throws -> ImportRequest {
    guard let entity else {
      throw ValidationError("Missing expected argument '<entity>': say which entity the objects of \(file) belong to")
    }
    guard entity.split(separator: ".", omittingEmptySubsequences: false).count == 1, PropertyName.isIdentifier(entity)
    else {
      throw ValidationError("'\(entity)' is not a name for an entity: use letters, digits and _, a letter first")
    }
    var request = ImportRequest(file: file, entity: entity, format: format, schemaFile: schema, key: key)
    request.isUpsert = upsert
    request.errorsFile = errors
    request.keeping = keep
    for list in index {
      for item in list.split(separator: ",", omittingEmptySubsequences: false) {
        request.indexes.append(try Self.index(String(item), of: list))
      }
    }
    for item in date {
      let parts = item.split(separator: ":", maxSplits: 1).map(String.init)
      guard parts.count == 2, let reading = DateReading(word: parts[1]) else {
        throw ValidationError("'--date \(item)': write PROPERTY:ms, PROPERTY:s or PROPERTY:iso")
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
