import Glibc

/// The data file of a store that may be damaged anywhere, read without LMDB: the values that its trees lead to, and
/// those on pages that no tree leads to any more.
///
/// It knows the page format of LMDB 0.9, and not the meaning of values. It changes nothing, and keeps writers out until
/// it is released, so that pages stay what they are.
package final class DamagedFile {
  /// A value, wherever it was found.
  package struct Found {
    /// The database; nil for a value on a page that no tree leads to.
    package let database: String?
    /// The key; empty if it is unknown.
    package let key: UnsafeRawBufferPointer
    /// The bytes. Of a value without a known length, all that could be a part of it.
    package let value: UnsafeRawBufferPointer
    /// Whether the number of bytes is known.
    package let isExact: Bool
    /// Whether it has pages of its own, as far as that is known.
    package let isAlone: Bool

    init(
      _ database: String?, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, isExact: Bool = true,
      isAlone: Bool = false
    ) {
      (self.database, self.key, self.value, self.isExact, self.isAlone) = (database, key, value, isExact, isAlone)
    }
  }

  /// A page that could not be read as what it should be.
  package struct Flaw {
    /// The database whose tree led to it; nil for the tree of databases or that of free pages.
    package let database: String?
    package let page: Int
    package let what: String
    /// The keys under the page: at least `from` and less than `to`; nil for no bound.
    package let from: [UInt8]?
    package let to: [UInt8]?
  }

  /// What a person must know about the state that was read: such as that it is not of the last commit.
  package let notes: [String]
  /// Whether there may have been a later commit than the one that was read.
  package let mayBeOutdated: Bool
  /// The databases that the main tree led to.
  private var databases: Set<String> = []
  /// The numbers beside the databases, by their keys in the main tree.
  private var numbers: [[UInt8]: UInt64] = [:]
  /// The pages that could not be read.
  package private(set) var flaws: [Flaw] = []
  /// Whether pages of earlier commits cannot be told from those of the last one, when no tree leads to them.
  package private(set) var mayFindOldValues = false

  private let file: StoreDescriptors
  private let map: FileMap
  private let path: String
  private let pageSize: Int
  private let pageCount: Int
  /// The commit to read; nil if both meta pages are damaged.
  private let meta: FileHeader.Meta?
  /// Pages of trees that were read, and free pages.
  private var known: [Bool]
  private let starts: UnsafeMutablePointer<UInt64>

  /// Opens the data file in a directory. Throws if there is none, or if someone writes for too long.
  package init(_ directory: String) throws(LMDBError) {
    file = try StoreDescriptors.open(directory, readOnly: true)
    path = directory + "/data.mdb"
    do throws(LMDBError) {
      try DirectoryLock.take(
        file.directory, exclusive: false, until: Deadline(after: .seconds(10)), path: directory)
      let size = try FileHeader.size(file.data, path: path)
      guard size > 0 else { throw .notAStore(path: path, why: "it is empty") }
      let chosen = try ChosenCommit(file.data, path)
      (meta, pageSize, notes, mayBeOutdated) = (chosen.meta, chosen.pageSize, chosen.notes, chosen.mayBeOutdated)
      pageCount = size / pageSize
      guard pageCount > 2 else { throw .notAStore(path: path, why: "it has no pages") }
      map = try FileMap(file.data, byteCount: pageCount * pageSize, path: path)
    } catch {
      file.close()
      throw error
    }
    known = Array(repeating: false, count: pageCount)
    starts = .allocate(capacity: pageSize >> 7 + 2)
    starts.initialize(repeating: 0, count: pageSize >> 7 + 2)
  }

  deinit {
    starts.deallocate()
    file.close()
  }

  /// A number beside the databases; nil if there is none, or it cannot be read. Known once all values were read.
  package func number(_ sealed: SealedNumber) -> UInt64? { numbers[sealed.key] }

  /// Whether all values of a database were found by its tree. Known once all values were read.
  package func isWhole(_ database: String) -> Bool {
    databases.contains(database) && !flaws.contains { $0.database == database }
  }

  /// The page that an address within the file is on.
  package func page(of address: UnsafeRawPointer) -> Int { (address - map.base) / pageSize }

  // MARK: Reading

  /// Calls `body` with every value of the databases that can be found. Values of a tree come before those that no tree
  /// leads to, which are searched for only if some page could not be read.
  ///
  /// - Parameter isWanted: Says of a database's name whether its values are needed.
  package func forEachValue(isWanted: (String) -> Bool, _ body: (Found) throws -> Void) throws {
    var trees: [(name: String, record: TreeRecord)] = []
    if let meta {
      try walk(meta.freeTree, .free, nil) { key, value in
        note(freePages: value)
      }
      mayFindOldValues = !flaws.isEmpty
      try walk(meta.mainTree, .main, nil) { key, value in
        if let number = SealedNumber.number(in: value) { numbers[Array(key)] = number }
        guard value.count == TreeRecord.byteCount, let record = value.baseAddress else { return }
        let name = String(decoding: key, as: UTF8.self)
        databases.insert(name)
        trees.append((name, TreeRecord(record)))
      }
    } else {
      mayFindOldValues = true
    }
    for (name, record) in trees {
      let isWanted = isWanted(name)
      try walk(record, .named, name) { key, value in
        if isWanted { try body(Found(name, key, value)) }
      }
    }
    if meta == nil || !flaws.isEmpty { try forEachStray(body) }
  }

  /// The numbers of free pages in one list.
  private func note(freePages list: UnsafeRawBufferPointer) {
    for place in stride(from: 8, to: list.count - 7, by: 8) {
      let page = list.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      if page < UInt64(pageCount) { known[Int(page)] = true }
    }
  }

  private func note(
    _ database: String?, _ page: UInt64, _ what: String, _ from: UnsafeRawBufferPointer?, _ to: UnsafeRawBufferPointer?
  ) {
    let keys = (from: from.map { Array($0) }, to: to.map { Array($0) })
    flaws.append(
      Flaw(database: database, page: Int(clamping: page), what: what, from: keys.from, to: keys.to))
  }

  // MARK: Trees

  private typealias Visitor = (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void

  private func walk(_ record: TreeRecord, _ kind: PageCheck.Kind, _ name: String?, _ visit: Visitor) throws {
    let title = name.map { "database \($0)" } ?? (kind == .free ? "the tree of free pages" : "the main tree")
    let check: PageCheck
    do throws(LMDBError) {
      check = try PageCheck(record, kind, name: title, pageSize: pageSize, path: path, starts: starts)
    } catch {
      return note(name, record.root ?? 0, error.flaw, nil, nil)
    }
    guard let root = record.root else { return }
    try walk(root, level: 1, check, name, from: nil, to: nil, visit)
  }

  /// Walks over a page and those below it. A page that is not sound stays unknown, and is searched for values later.
  private func walk(
    _ number: UInt64, level: UInt16, _ check: PageCheck, _ name: String?, from: UnsafeRawBufferPointer?,
    to: UnsafeRawBufferPointer?, _ visit: Visitor
  ) throws {
    guard number >= 2, number < UInt64(pageCount), !known[Int(number)] else {
      return note(name, number, "\(check.name): it refers to this page, which is none of its own", from, to)
    }
    let page = map.base + Int(number) * pageSize
    let nodes: PageNodes
    do throws(LMDBError) {
      try check.kind(of: page, number, level: level)
      if level == check.record.depth, check.hasFixedLeaves {
        _ = try check.fixedWidth(number, page, byteCount: pageSize, from: from, to: to)
        known[Int(number)] = true
        return
      }
      nodes =
        try level < check.record.depth
        ? check.branch(number, page, from: from, to: to) : check.leaf(number, page, from: from, to: to)
    } catch {
      return note(name, number, error.flaw, from, to)
    }
    known[Int(number)] = true
    for index in 0..<nodes.count {
      if level < check.record.depth {
        try walk(
          nodes.child(index), level: level + 1, check, name, from: index > 0 ? nodes.key(index) : from,
          to: index + 1 < nodes.count ? nodes.key(index + 1) : to, visit)
      } else if check.kind != .duplicates {
        try value(of: nodes, index, number, check, name, visit)
      }
    }
  }

  private func value(
    of nodes: PageNodes, _ index: Int, _ number: UInt64, _ check: PageCheck, _ name: String?, _ visit: Visitor
  ) throws {
    let key = nodes.key(index)
    do throws(LMDBError) { _ = try check.entries(nodes, index, number) } catch {
      return note(name, number, error.flaw, key, nil)
    }
    switch nodes.flags(index) {
    case PageNodes.bigData:
      guard let value = largeValue(nodes, index) else {
        return note(name, number, "\(check.name): a large value that is not in the file", key, nil)
      }
      try visit(key, value)
    case PageNodes.duplicates | PageNodes.subTree:
      try walk(TreeRecord(nodes.value(index)), .duplicates, name) { _, _ in }
    case let flags where flags & PageNodes.duplicates == 0:
      try visit(key, UnsafeRawBufferPointer(start: nodes.value(index), count: nodes.valueSize(index)))
    default: break
    }
  }

  /// A value with pages of its own; nil if they are not in the file. Whether it is the right one is for its reader to
  /// see: if the first page has another header, it may be lost, or only its header.
  private func largeValue(_ nodes: PageNodes, _ index: Int) -> UnsafeRawBufferPointer? {
    let first = nodes.value(index).loadUnaligned(as: UInt64.self)
    let size = nodes.valueSize(index)
    let needed = (PageNodes.headerSize - 1 + size) / pageSize + 1
    guard first >= 2, first < UInt64(pageCount), needed <= pageCount - Int(first) else { return nil }
    let header = map.base + Int(first) * pageSize
    if PageNodes.number(header) == first, PageNodes.flags(header) == PageNodes.overflow {
      for page in Int(first)..<Int(first) + needed { known[page] = true }
    } else {
      flaws.append(Flaw(database: nil, page: Int(first), what: "no page of a large value", from: nil, to: nil))
    }
    return UnsafeRawBufferPointer(start: header + PageNodes.headerSize, count: size)
  }

  // MARK: Pages without a tree

  /// Leaves first: what they refer to is then not searched for.
  private func forEachStray(_ body: (Found) throws -> Void) throws {
    for number in 2..<pageCount where !known[number] {
      let page = map.base + number * pageSize
      guard PageNodes.number(page) == UInt64(number), PageNodes.flags(page) == PageNodes.leaf,
        let nodes = PageNodes(unverified: page, byteCount: pageSize, isBranch: false, starts: starts)
      else { continue }
      known[number] = true
      for index in 0..<nodes.count {
        switch nodes.flags(index) {
        case 0:
          let value = UnsafeRawBufferPointer(start: nodes.value(index), count: nodes.valueSize(index))
          try body(Found(nil, nodes.key(index), value))
        case PageNodes.bigData:
          guard let value = largeValue(nodes, index) else { continue }
          try body(Found(nil, nodes.key(index), value))
        default: break
        }
      }
    }
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    for number in 2..<pageCount where !known[number] {
      let page = map.base + number * pageSize
      let end = map.base + pageCount * pageSize
      // A value with pages of its own, or one of those on a leaf whose entries cannot be told apart, which are at even
      // places.
      let flags = PageNodes.flags(page)
      let isLeaf = flags == PageNodes.leaf || PageNodes.number(page) == UInt64(number) && flags != PageNodes.overflow
      let last = isLeaf ? pageSize - 2 : PageNodes.headerSize
      for place in stride(from: PageNodes.headerSize, through: last, by: 2) {
        let value = UnsafeRawBufferPointer(start: page + place, count: end - page - place)
        try body(Found(nil, none, value, isExact: false, isAlone: place == PageNodes.headerSize))
      }
    }
  }
}

extension LMDBError {
  /// What is wrong, without the file and the page.
  fileprivate var flaw: String {
    if case .damaged(_, _, let what) = self { what } else { "\(self)" }
  }
}
