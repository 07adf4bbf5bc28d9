internal import PredicateLanguage
internal import Storage

extension PathSyntax {
  /// The names of the path; nil if it has any other step.
  var plainNames: [String]? {
    guard variable == nil, !steps.isEmpty else { return nil }
    var names: [String] = []
    for step in steps {
      guard case .name(let name) = step.kind else { return nil }
      names.append(name)
    }
    return names
  }
}

extension StoredEntity {
  /// The collection column at a path of names.
  func collection(at path: PathSyntax) -> Int? {
    guard let names = path.plainNames, let column = column(at: names.joined(separator: ".")),
      columns[column].collectionKind != nil
    else { return nil }
    return column
  }
}
