/// A Swift struct whose values the store keeps. `@Model` writes the conformance.
public protocol Model: Sendable, Hashable {}
