/// Changes to stores of earlier program versions that declarations cannot express: named steps, in order.
///
/// ```swift
/// enum Plan: MigrationPlan {
///   static var steps: [MigrationStep] {
///     [
///       .convert("magnitudes are numbers", Quake.self, "mag", to: \.magnitude) { (old: String) in Double(old) ?? 0 },
///       .removing("Quake.note"),
///     ]
///   }
/// }
/// let store = try Store(path, models: Quake.self, migration: Plan.self)
/// ```
///
/// Opening a store with a plan runs the steps that have not been run on it, together with all other schema changes, in
/// one commit: a step that throws, or a killed process, leaves the store unchanged. The store records the names of the
/// steps that it has run; a store that is created by opening it needs none of them, and records all.
///
/// Steps read the old data, regardless of the current models: by name, in the last commit. They write objects of the
/// current models, and see there what earlier steps have written. Keep a step in the plan as long as there may be
/// stores on which it has not been run, and do not rename it.
public protocol MigrationPlan {
  /// The steps, in order, with distinct names.
  static var steps: [MigrationStep] { get }
}
