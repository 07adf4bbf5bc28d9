internal import Storage

/// The changes that opening a store with some models and a plan would make.
public struct MigrationPreview: Hashable, Sendable {
  /// The kind of change to a part of the file.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The part is new.
    case added
    /// The part is renamed.
    case renamed
    /// The declaration changes without affecting values.
    case changed
    /// The values are converted to another type, automatically or by a step.
    case converted
    /// Objects without a value get one.
    case filled
    /// The part is removed with its values.
    case lost
  }

  /// A change.
  public struct Change: Hashable, Sendable, CustomStringConvertible {
    /// The kind of change.
    public let kind: Kind
    /// The changed part, as a sentence without a final stop.
    public let text: String
    /// The number of objects that are converted or filled, or of values or objects of an entity that are lost; nil if
    /// there are none.
    public let count: Int?
    /// The change as a line of a difference: `- Doc.body: String, 17 values`, `+ Doc.n: Int?`,
    /// `~ Doc.text is now body`.
    public let line: String

    /// `lost: 'Doc.body' is removed, with its values (17)`
    public var description: String { "\(kind.rawValue): \(text)\(count.map { " (\($0))" } ?? "")" }
  }

  /// The changes of the schema, then those of objects.
  public let changes: [Change]
  /// The names of the steps that would be done, in order.
  public let steps: [String]
  /// The reasons why opening would be refused, a sentence each; empty if it would not be. Of a new unique property they
  /// name the values that several objects have, but not if a plan has steps to do: these may change the values.
  public let problems: [String]

  /// Whether nothing would change.
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
  /// Determines the changes that `Store(path, models: …, migration: …)` would make to the store in a folder, and
  /// changes nothing.
  ///
  /// ```swift
  /// print(try Store.migrationPreview(path, models: Quake.self, migration: Plan.self))
  /// ```
  ///
  /// Steps are listed but not run. Other processes may read and write in the meantime.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - models: As for opening.
  ///   - removing: As for opening.
  ///   - keeping: As for opening.
  ///   - migration: As for opening.
  ///   - cancellation: Cancels the preview.
  /// - Throws: `StoreError` if there is no store, or if it cannot be read. Reasons for a refusal are part of the
  ///   preview.
  /// - Complexity: Linear in the number of objects whose values are converted, filled, lost or to be unique.
  public static func migrationPreview(
    _ path: String, models: any Model.Type..., removing: [String] = [], keeping: [String] = [],
    migration: (any MigrationPlan.Type)? = nil, cancellation: Cancellation? = nil
  ) throws -> MigrationPreview {
    var declaration = try SchemaDeclaration.declaring(models, removing: removing, keeping: keeping).declaration
    try declaration.add(migration?.steps ?? [])
    let file = try StoreFile.open(path, mode: .readOnly)
    let found = try file.preview(declaration, wait: cancellation.wait)
    return MigrationPreview(found)
  }
}

extension MigrationPreview {
  init(_ found: PreviewedMigration) {
    self.init(
      changes: found.changes.map {
        MigrationPreview.Change(kind: MigrationPreview.Kind($0.kind), text: $0.text, count: $0.count, line: $0.line)
      }, steps: found.steps, problems: found.problems)
  }
}
