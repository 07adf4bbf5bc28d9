/// What is to be done to stores of earlier versions of a program that no declaration says: named steps, in order.
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
/// Opening a store with a plan does the steps that were not done to it before, and with them all that opening does
/// anyway, in one commit: a step that throws, or a process that is killed, leaves the store as it was. The store remembers
/// by its name that a step was done; a store that is made by opening it needs none of them, and remembers all.
///
/// Steps read what was there as it was, whatever the models say now: by name, in the last commit. They write objects of
/// the models of now, and see there what earlier steps wrote. Leave a step in the plan as long as stores may turn up to
/// which it was not done, and give it no other name.
public protocol MigrationPlan {
  /// The steps, in order. No two have the same name.
  static var steps: [MigrationStep] { get }
}
