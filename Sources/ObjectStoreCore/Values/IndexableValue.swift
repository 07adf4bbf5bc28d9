/// A property type that an index can be over: a single value, a link, or an optional of one.
///
/// The compiler checks it where `@Model` declares the indexes of a struct, so that an index over a struct or a
/// collection is an error of the program and not of opening its store.
public protocol IndexableValue {}

extension Link: IndexableValue {}

extension Optional: IndexableValue where Wrapped: IndexableValue {}
