import Glibc

/// The trees in which the pages of the file were met, to notice pages that belong to two of them: a write to one tree
/// frees its pages, and whatever takes them next writes over those of the other.
///
/// LMDB's pages do not say which tree they belong to, and most of them move between trees in their life. So a page that
/// is met in a second tree is only contested; `SharedPages` finds out which trees lead to it at one commit. Used by one
/// thread at a time.
final class PageClaims {
  /// A tree of the file, by a number for it.
  typealias Owner = UInt32

  /// What an owner is.
  enum Tree: Equatable {
    /// The tree of free pages.
    case free
    case database(String)
    /// The values of one key of a database.
    case values(of: [UInt8], Owner)
    /// The large values of a database that a write was about to free.
    case largeValues(Owner)
  }

  /// A page that no tree was met to lead to, or one whose tree does not matter.
  static let nobody: Owner = 0
  /// A page that the tree of free pages listed at the first write.
  static let listed: Owner = .max

  /// The tree of each page.
  private var owners: ZeroedTable<Owner>
  /// The trees by their numbers, which begin with 1.
  private var trees: [Tree] = []
  private var owned: [(database: Owner, values: [[UInt8]: Owner], largeValues: Owner)] = []
  /// The pages that were met in several trees, or that were listed as free, and those trees.
  private(set) var contests: [UInt64: [Owner]] = [:]
  /// Whether pages are contested that nobody has looked into yet.
  private(set) var hasNewContests = false
  /// The number of contested pages that were looked into.
  private(set) var settledContests = 0

  init(pageCount: Int) { owners = ZeroedTable(count: pageCount) }

  /// Makes room for so many pages.
  func grow(to pageCount: Int) { owners.grow(to: pageCount) }

  // MARK: Trees

  /// The tree of an owner; nil for `nobody` and `listed`.
  func tree(_ owner: Owner) -> Tree? {
    owner != Self.nobody && owner <= trees.count ? trees[Int(owner) - 1] : nil
  }

  /// Whether an owner is the large values of a database.
  func isOfLargeValues(_ owner: Owner) -> Bool {
    if case .largeValues? = tree(owner) { true } else { false }
  }

  /// The number of the tree of free pages, or of a database.
  ///
  /// - Parameter known: What this returned earlier, for a database that is asked for often.
  func owner(_ tree: Tree, known: Owner = nobody) -> Owner {
    if known != Self.nobody, self.tree(known) == tree { return known }
    // There are few of them, and those of values are not searched for here.
    for place in owned where trees[Int(place.database) - 1] == tree { return place.database }
    let made = add(tree)
    owned.append((made, [:], Self.nobody))
    return made
  }

  /// The number of the tree of the values of a key.
  func owner(ofValues key: UnsafeRawBufferPointer, in database: Owner) -> Owner {
    guard let place = owned.firstIndex(where: { $0.database == database }) else { return Self.nobody }
    let key = Array(key)
    if let known = owned[place].values[key] { return known }
    let made = add(.values(of: key, database))
    owned[place].values[key] = made
    return made
  }

  /// The number of the large values of a database.
  private func owner(ofLargeValuesIn database: Owner) -> Owner {
    guard let place = owned.firstIndex(where: { $0.database == database }) else { return Self.nobody }
    if owned[place].largeValues == Self.nobody { owned[place].largeValues = add(.largeValues(database)) }
    return owned[place].largeValues
  }

  private func add(_ tree: Tree) -> Owner {
    trees.append(tree)
    return Owner(truncatingIfNeeded: trees.count)
  }

  // MARK: Pages

  /// Notes that a tree leads to a page.
  @inline(__always)
  func meet(_ page: UInt64, _ owner: Owner) {
    if owner == Self.nobody { return }
    let before = owners[page]
    if before == owner { return }
    owners[page] = owner
    if before != Self.nobody { contest(page, before, owner) }
  }

  /// Notes that a page is listed as free.
  func list(_ page: UInt64) { meet(page, Self.listed) }

  /// Notes that a large value of a database is going to be freed with its pages.
  func meetLargeValue(_ pages: Range<UInt64>, in database: Owner) {
    if database == Self.nobody { return }
    // The pages are not remembered: the next tree that has them could not tell whether this value still has.
    for page in pages where owners[page] != Self.nobody {
      contest(page, owners[page], owner(ofLargeValuesIn: database))
    }
  }

  @inline(never)
  private func contest(_ page: UInt64, _ one: Owner, _ other: Owner) {
    var owners = contests[page] ?? []
    for owner in [one, other] where !owners.contains(owner) { owners.append(owner) }
    contests[page] = owners
    hasNewContests = true
  }

  /// Ends the contest of a page.
  ///
  /// - Parameter owner: The only tree that leads to it; `listed` if it is free, `nobody` if neither.
  func settle(_ page: UInt64, owner: Owner) {
    contests[page] = nil
    settledContests += 1
    owners[page] = owner
  }

  /// Notes that all contests were looked into.
  func finishSettling() { hasNewContests = false }
}
