internal import Values

/// A value that several objects have in a unique property, or combination of properties.
struct UniquenessViolation {
  let entity: String
  let path: String
  let value: Value
  let objects: [ObjectNumber]
}
