internal import Storage

/// What opening a store with some models, and a plan, would do to it.
public struct MigrationPreview: Hashable, Sendable {
  /// What happens to a part of the file.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// It is new.
    case added
    /// It goes by another name.
    case renamed
    /// Something else about it is declared, which touches no values.
    case changed
    /// Its values become those of another type, by themselves or by a step.
    case converted
    /// Objects that lack a value get one.
    case filled
    /// It goes, with its values.
    case lost
  }

  /// One change.
  public struct Change: Hashable, Sendable, CustomStringConvertible {
    /// What happens.
    public let kind: Kind
    /// To what, as one sentence without a final stop.
    public let text: String
    /// How many objects are converted or filled, or how many values, or objects of an entity, are lost; nil for what is
    /// about none.
    public let count: Int?

    /// `lost: 'Doc.body' is removed, with its values (17)`
    public var description: String { "\(kind.rawValue): \(text)\(count.map { " (\($0))" } ?? "")" }
  }

  /// The changes of the schema, then those of objects.
  public let changes: [Change]
  /// The names of the steps that would be done, in order.
  public let steps: [String]
  /// Why it would be refused, a sentence each; empty when it would not be. Uniqueness that is new is only looked at when
  /// the store is opened.
  public let problems: [String]

  /// Whether nothing would happen.
  public var isEmpty: Bool { changes.isEmpty && steps.isEmpty && problems.isEmpty }
}

extension MigrationPreview: CustomStringConvertible {
  /// A line for each change, step and problem.
  public var description: String {
    if isEmpty { return "nothing changes" }
    return (changes.map(\.description) + steps.map { "step: \($0)" } + problems.map { "refused: \($0)" })
      .joined(separator: "\n")
  }
}

extension MigrationPreview.Kind {
  init(_ kind: PreviewedMigration.Kind) {
    switch kind {
    case .added: self = .added
    case .renamed: self = .renamed
    case .changed: self = .changed
    case .converted: self = .converted
    case .filled: self = .filled
    case .lost: self = .lost
    }
  }
}

extension Store {
  /// Looks at what `Store(path, models: …, migration: …)` would do to the store in a folder, and changes nothing.
  ///
  /// ```swift
  /// print(try Store.migrationPreview(path, models: Quake.self, migration: Plan.self))
  /// ```
  ///
  /// Steps are named and not run. Others may go on reading and writing.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - models: As for opening.
  ///   - removing: As for opening.
  ///   - keeping: As for opening.
  ///   - migration: As for opening.
  ///   - cancellation: Stops it from outside.
  /// - Throws: `StoreError` when there is no store, or it can't be read. What would be refused is in the preview.
  /// - Complexity: Linear in the number of objects whose values are converted, filled or lost.
  public static func migrationPreview(
    _ path: String, models: any Model.Type..., removing: [String] = [], keeping: [String] = [],
    migration: (any MigrationPlan.Type)? = nil, cancellation: Cancellation? = nil
  ) throws -> MigrationPreview {
    var declaration = try SchemaDeclaration.declaring(models, removing: removing, keeping: keeping).declaration
    try declaration.add(migration?.steps ?? [])
    let file = try StoreFile.open(path, mode: .readOnly)
    let found = try file.preview(declaration, wait: cancellation.wait)
    return MigrationPreview(
      changes: found.changes.map {
        MigrationPreview.Change(kind: MigrationPreview.Kind($0.kind), text: $0.text, count: $0.count)
      }, steps: found.steps, problems: found.problems)
  }
}
