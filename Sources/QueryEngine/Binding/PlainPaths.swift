internal import PredicateLanguage
internal import Storage

extension PathSyntax {
  /// The names it consists of; nil when there is anything else in it.
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
  /// The column of collections that a path of names leads to.
  func collection(at path: PathSyntax) -> Int? {
    guard let names = path.plainNames, let column = column(at: names.joined(separator: ".")),
      columns[column].collectionKind != nil
    else { return nil }
    return column
  }
}
