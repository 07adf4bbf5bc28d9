import CSimdjson
import ObjectStoreCore

/// Infers an entity that can hold the records of a file, in one pass over all of them.
///
/// It neither reads nor stores data; the result is the decisions and the reasons for surprising ones.
struct TypeInference {
  /// The inferred schema.
  struct Result {
    var entity: Entity
    var embedded: [Entity]
    /// The property path for each path of the data that is stored.
    var paths: [String: String]
    /// How each Date is written.
    var dateForms: [String: DateForm]
    /// Sentences on decisions that may surprise.
    var notes: [String]
  }

  let entityName: String
  /// Dates that the user announced, by property path.
  let dates: [String: DateReading]
  /// Names that the user changed, from the data's to the property's.
  let renamed: [String: String]

  /// The most columns that the entity may have.
  var mostColumns = Store.Limits().columns

  private var nodes: [Node] = []
  private var roots: [Int] = []
  private var nodeOfPath: [Int?] = []
  private var records = 0
  private let elementReader = ElementReader()

  /// A path of the data, with the paths within it.
  fileprivate struct Node {
    var source: String
    var name: String
    /// How the name of the data leads to `name`.
    var standing: SharedProperty.Standing
    /// The node of the path around it.
    var parent: Int?
    /// Whether the name differs from the one in the data.
    var isRenamed: Bool
    var children: [Int] = []
    /// The number of records with a value at any path within it, and the last of them.
    var inhabited = 0
    var lastInhabited = 0
    /// The last record with a value at the path.
    var lastFilled = 0
    var evidence = ColumnStatistics()
    /// The statistics on its lists.
    var elements = ElementEvidence()
  }

  init(entityName: String, dates: [String: DateReading] = [:], renamed: [String: String] = [:]) {
    self.entityName = entityName
    self.dates = dates
    self.renamed = renamed
  }

  /// Adds one record. Throws when the data have more names than an entity may have columns: a file with very many
  /// names is refused at the first that is too many, not when all have been read.
  mutating func add(
    _ record: UnsafeBufferPointer<Field>, line: Int, of reader: some RecordReader
  ) throws(CommandFailure) {
    records += 1
    for field in record {
      let path = Int(field.path)
      while nodeOfPath.count <= path { nodeOfPath.append(nil) }
      let index = nodeOfPath[path] ?? makeNode(reader.name(ofPath: field.path))
      if nodes.count > mostColumns, nodeOfPath[path] == nil { try refuseTooMany(at: nodes[index].source, line) }
      nodeOfPath[path] = index
      if field.kind != csj_null {
        // Another name of this property has a value: the row will be bad.
        if nodes[index].lastFilled == records { continue }
        nodes[index].lastFilled = records
      }
      nodes[index].evidence.add(field, line: line)
      if field.kind != csj_null, let parent = nodes[index].parent { inhabit(parent) }
      if field.kind == csj_array { nodes[index].elements.add(field, line: line, elementReader) }
    }
  }

  /// Notes that the current record has a value within a path.
  private mutating func inhabit(_ index: Int) {
    var next: Int? = index
    while let index = next, nodes[index].lastInhabited != records {
      nodes[index].lastInhabited = records
      nodes[index].inhabited += 1
      next = nodes[index].parent
    }
  }

  /// Throws if there are too many columns: structs are none.
  private func refuseTooMany(at name: String, _ line: Int) throws(CommandFailure) {
    guard nodes.count(where: { $0.children.isEmpty && $0.evidence.objects == 0 }) > mostColumns else { return }
    let shown = name.utf8.count > 60 ? name.prefix(40) + "…" : name[...]
    throw CommandFailure(
      description: "line \(grouped(line)): '\(shown)' is one name too many: \(entityName) would have more than "
        + "\(mostColumns) columns, the limit 'columns'; \(Self.remedy(mostColumns))",
      code: "limit-exceeded")
  }

  private static func remedy(_ most: Int) -> String {
    (most < Store.Limits().columns ? "allow more with --limit-columns (4096 at most), or " : "")
      + "give a schema text with the properties to keep (--schema), where '[String: T]' takes names of any number"
  }

  /// The node for a path of the data, created with its ancestors. CSV has dotted headers without explicit structs;
  /// `finish` decides which are structs.
  ///
  /// Two names that would have the same property each get one, the weaker one with a number; only those that `--map`
  /// leads to the same property, and those that are equal but for their Unicode normal form, share it.
  private mutating func makeNode(_ source: String) -> Int {
    let around = renamed[source] == nil ? enclosing(source) : nil
    let given = around.map { String(source.dropFirst(nodes[$0].source.count + 1)) } ?? source
    let parts = PropertyName.path(renamed[source] ?? given)
    let own: SharedProperty.Standing =
      renamed[source] != nil ? .mapped : parts.joined(separator: ".") == given ? .own : .similar
    var siblings = around.map { nodes[$0].children } ?? roots
    var parent = around
    for (depth, part) in parts.enumerated() {
      let isLast = depth == parts.count - 1
      let standing = isLast ? own : .own
      let known = siblings.first { nodes[$0].name == part }
      if let known, !isLast || nodes[known].mayShare(source, standing) {
        parent = known
      } else {
        var name = part
        if let known {
          var number = 2
          while siblings.contains(where: { nodes[$0].name == "\(part)\(number)" }) { number += 1 }
          if standing.rawValue > nodes[known].standing.rawValue {
            (nodes[known].name, nodes[known].isRenamed) = ("\(part)\(number)", true)
          } else {
            name = "\(part)\(number)"
          }
        }
        nodes.append(
          Node(
            source: isLast ? source : "", name: name, standing: standing, parent: parent,
            isRenamed: standing == .similar || standing == .own && name != part))
        let created = nodes.count - 1
        if let parent { nodes[parent].children.append(created) } else { roots.append(created) }
        parent = created
      }
      siblings = parent.map { nodes[$0].children } ?? roots
    }
    let index = parent ?? 0
    if nodes[index].source.isEmpty { nodes[index].source = source }
    return index
  }

  /// The innermost object of the data that contains a path, under its original name: reported before its contents.
  private func enclosing(_ source: String) -> Int? {
    var prefix = Substring(source)
    while let dot = prefix.lastIndex(of: ".") {
      prefix = prefix[..<dot]
      if let node = nodes.firstIndex(where: { $0.source == prefix && $0.evidence.objects > 0 }) { return node }
    }
    return nil
  }

  /// Decides.
  mutating func finish() -> Result {
    var result = Result(
      entity: Entity(name: entityName, properties: []), embedded: [], paths: [:], dateForms: [:], notes: [])
    var decision = Decision(result: result, dates: dates, typeNames: [entityName])
    result.entity.properties = decide(roots, at: "", within: records, &decision)
    decision.noteEmpty()
    result.embedded = decision.result.embedded
    result.paths = decision.result.paths
    result.dateForms = decision.result.dateForms
    result.notes = decision.result.notes
    return result
  }

  private func decide(
    _ indexes: [Int], at prefix: String, within total: Int, _ decision: inout Decision
  ) -> [Property] {
    var properties: [Property] = []
    for index in indexes {
      let node = nodes[index]
      let path = prefix + node.name
      // In CSV a struct is there when any of its leaves is.
      let objects = max(node.evidence.objects, node.inhabited)
      let scalars = node.evidence.values - node.evidence.objects - node.evidence.arrays
      if !node.children.isEmpty, objects >= scalars {
        if scalars > 0 {
          decision.note(
            "\(path) is an object nearly everywhere: its \(counted(scalars, "other value")) will be bad rows")
        }
        let inner = decide(node.children, at: path + ".", within: objects, &decision)
        guard !inner.isEmpty else { continue }
        decision.noteName(node.source, path, isRenamed: node.isRenamed)
        let type = decision.typeName(for: node.name, entity: entityName)
        decision.result.embedded.append(Entity(name: type, properties: inner))
        decision.result.paths[node.source.isEmpty ? path : node.source] = path
        properties.append(Property(name: node.name, type: .embedded(type), isOptional: objects < total))
      } else if node.evidence.arrays > 0, node.evidence.arrays == node.evidence.values {
        guard let type = decision.element(of: node.elements, path: path) else { continue }
        decision.noteName(node.source, path, isRenamed: node.isRenamed)
        decision.result.paths[node.source] = path
        properties.append(
          Property(name: node.name, type: .array(type), isOptional: node.evidence.arrays < total))
      } else if let type = decision.type(of: node.evidence, path: path) {
        decision.result.paths[node.source] = path
        decision.noteName(node.source, path, isRenamed: node.isRenamed)
        properties.append(Property(name: node.name, type: .scalar(type), isOptional: scalars < total))
      }
    }
    return properties
  }
}

extension TypeInference.Node {
  /// Whether a path of the data may use this node.
  fileprivate func mayShare(_ source: String, _ standing: SharedProperty.Standing) -> Bool {
    self.source.isEmpty || self.source == source || self.standing == .mapped && standing == .mapped
  }
}
