extension List: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  /// No links.
  public init() { self.init([], nil) }

  /// 0.
  public var startIndex: Int { 0 }
  /// The number of links.
  public var endIndex: Int { ends.count }

  /// The link at a position, which must be valid, as that of an array.
  public subscript(position: Int) -> Link<Target> {
    get { Link(ends[position], origin) }
    set {
      ends[position] = newValue.end
      origin = origin ?? newValue.origin
    }
  }

  /// Replaces the links in a range of positions, which must be valid, as that of an array.
  public mutating func replaceSubrange(_ range: Range<Int>, with links: some Collection<Link<Target>>) {
    origin = origin ?? links.lazy.compactMap(\.origin).first
    ends.replaceSubrange(range, with: links.map(\.end))
  }

  /// Adds a link to the end.
  public mutating func append(_ link: Link<Target>) {
    ends.append(link.end)
    origin = origin ?? link.origin
  }
}

/// Methods that take objects and identities in place of links.
extension List {
  /// Adds a link to an object, new or from a store, to the end.
  ///
  /// ```swift
  /// var list: List<Task> = [task, otherTask]
  /// list.append(Task(name: "paint"))
  /// list.move(from: 2, to: 0)
  /// list.remove(otherTask)
  /// ```
  public mutating func append(_ object: some Linkable<Target>) { append(object.asLink) }

  /// Adds links to objects, in order.
  public mutating func append(contentsOf objects: some Sequence<some Linkable<Target>>) {
    for object in objects { append(object.asLink) }
  }

  /// Inserts a link to an object before a position, which must be valid, as that of an array.
  public mutating func insert(_ object: some Linkable<Target>, at position: Int) {
    replaceSubrange(position..<position, with: CollectionOfOne(object.asLink))
  }

  /// Replaces the link at a position, which must be valid, as that of an array, by a link to an object.
  public mutating func replace(at position: Int, with object: some Linkable<Target>) { self[position] = object.asLink }

  /// Moves a link to another position. Both must be valid, as those of an array.
  ///
  /// - Parameters:
  ///   - position: Where the link is.
  ///   - destination: Where it is afterwards.
  public mutating func move(from position: Int, to destination: Int) {
    ends.insert(ends.remove(at: position), at: destination)
  }

  /// Removes every link to an object. Returns the number of removed links.
  ///
  /// - Complexity: Linear in the number of links.
  @discardableResult
  public mutating func remove(_ object: some Linkable<Target>) -> Int {
    let end = object.asLink.end
    let before = ends.count
    ends.removeAll { $0 == end }
    return before - ends.count
  }

  /// Whether some link leads to an object.
  ///
  /// - Complexity: Linear in the number of links.
  public func contains(_ object: some Linkable<Target>) -> Bool { firstIndex(of: object) != nil }

  /// The position of the first link to an object.
  ///
  /// - Complexity: Linear in the number of links.
  public func firstIndex(of object: some Linkable<Target>) -> Int? {
    let end = object.asLink.end
    return ends.firstIndex { $0 == end }
  }
}

extension List: ExpressibleByArrayLiteral {
  /// Links to objects, identities or links: `[task, id, Task(name: "new")]`.
  public init(arrayLiteral objects: any Linkable<Target>...) {
    self.init()
    for object in objects { append(object) }
  }
}
