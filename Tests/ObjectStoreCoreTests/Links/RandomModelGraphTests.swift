import Foundation
import ObjectStoreCore
import TestSeeds
import Testing

/// Random writes of models that link to each other, against the same graph in memory: graphs are added and merged,
/// lists reordered, objects deleted by all three rules, writes rolled back, the store reopened. After each write the
/// store has what the model has, and its check finds nothing.
///
/// `SEED=…` repeats a run, `ROUNDS=…` sets its length: 60 writes unless told.
@Suite struct RandomModelGraphTests {
  @Test func theStoreFollowsTheModel() throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = testSeed()
    var run = try GraphRun(seed: seed)
    if let problem = try run.problem(rounds: environment["ROUNDS"].flatMap(Int.init) ?? 60) {
      Issue.record("SEED=\(seed): \(problem)")
    }
    print("RandomModelGraphTests: \(run.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" })")
  }

  /// The comparison notices a model that is wrong, whichever way.
  @Test(arguments: NodeModel.Mistake.allCases)
  func aPlantedMistakeIsNoticed(mistake: NodeModel.Mistake) throws {
    var run = try GraphRun(seed: 1, mistake: mistake)
    #expect(try run.problem(rounds: 300) != nil, "nothing was noticed")
  }
}

/// One run: a store in a folder, and the model of it.
private struct GraphRun {
  private enum Ending { case committed, rolledBack, duplicate }
  private struct Rollback: Error {}
  struct Problem: Error { var text: String }

  let folder: TemporaryFolder
  var store: Store?
  var model = NodeModel()
  var random: SplitMix
  let mistake: NodeModel.Mistake?
  /// How often each thing was done, so that a test shows what it has tried.
  var counts: [String: Int] = [:]
  private var nextKey = 0

  init(seed: UInt64, mistake: NodeModel.Mistake? = nil) throws {
    folder = try TemporaryFolder()
    random = SplitMix(seed)
    self.mistake = mistake
    store = try Store(folder.path("store"), models: Node.self)
  }

  mutating func problem(rounds: Int) throws -> String? {
    for round in 0..<rounds {
      guard let store else { return "there is no store" }
      do { try write(to: store) } catch let problem as Problem { return "round \(round): \(problem.text)" }
      let check = try store.check()
      if !check.isWhole { return "round \(round): the check finds \(check)" }
      if let problem = try store.snapshot({ try difference($0.objects(Node.self), $0.objects(Leaf.self)) }) {
        return "round \(round): \(problem)"
      }
      if random.once(in: 6) {
        self.store = nil
        self.store = try Store(folder.path("store"), models: Node.self)
        counts["reopened", default: 0] += 1
      }
    }
    return nil
  }

  // MARK: Writing

  private mutating func write(to store: Store) throws {
    let before = model
    let ending: Ending = random.once(in: 6) ? .rolledBack : random.once(in: 8) ? .duplicate : .committed
    counts["\(ending)", default: 0] += 1
    // Changed within the write, and taken over whatever becomes of that.
    var run = self
    do {
      try store.write { tx in
        for _ in 0...run.random.below(9) { try run.change(tx) }
        if ending == .rolledBack { throw Rollback() }
        if ending == .duplicate { _ = try tx.add([Leaf("twin"), Leaf("twin")]) }
      }
      self = run
      if ending != .committed { throw Problem(text: "a write stays that should not") }
    } catch is Rollback {
      self = run
      if mistake != .rollbackKeeps { model = before }
    } catch StoreError.constraintViolated(let violation) {
      self = run
      model = before
      guard ending == .duplicate, violation.entity == "Leaf", violation.path == "key", violation.objects.count == 1
      else {
        throw Problem(text: "\(violation.entity).\(violation.path) is twice, and should not be")
      }
    }
  }

  private mutating func change(_ tx: WriteTransaction) throws {
    switch random.below(16) {
    case 0..<4: try add(tx, isMerging: false)
    case 4..<7: try add(tx, isMerging: true)
    case 7..<11: try update(tx)
    case 11, 12: try deleteNodes(tx)
    case 13: try deleteLeaf(tx)
    case 14: try ask(tx)
    default:
      counts["compared within a write", default: 0] += 1
      if let problem = try difference(tx.objects(Node.self), tx.objects(Leaf.self)) {
        throw Problem(text: "within a write, \(problem)")
      }
    }
  }

  // MARK: Adding

  /// Adds or merges a new graph: the new objects in it link to each other and to some that are there.
  private mutating func add(_ tx: WriteTransaction, isMerging: Bool) throws {
    var nodes: [(link: Link<Node>, value: Node)] = []
    var leaves: [(link: Link<Leaf>, value: Leaf)] = []
    var keys: Set<String> = []
    for _ in 0..<random.below(3) {
      let leaf = Leaf(key(among: model.leaves.values.map(\.key), isMerging, &keys), home: node(nodes.map(\.link)))
      leaves.append((Link(leaf), leaf))
    }
    for _ in 0..<random.below(4) {
      let node = newNode(nodes.map(\.link), leaves.map(\.link), isMerging, &keys)
      nodes.append((Link(node), node))
    }
    let root = newNode(nodes.map(\.link), leaves.map(\.link), isMerging, &keys)
    let known = model
    let id = isMerging ? try tx.upsert(root) : try tx.add(root)
    counts[isMerging ? "merged" : "added", default: 0] += 1
    // What the root does not lead to was not added.
    for (link, value) in leaves { if let id = link.id { try settle(value, id.number.rawValue, known) } }
    for (link, value) in nodes { if let id = link.id { try settle(value, id.number.rawValue, known) } }
    try settle(root, id.number.rawValue, known)
  }

  private mutating func newNode(
    _ nodes: [Link<Node>], _ leaves: [Link<Leaf>], _ isMerging: Bool, _ keys: inout Set<String>
  ) -> Node {
    let key = key(among: model.nodes.values.map(\.key), isMerging, &keys)
    var others: [Link<Node>] = []
    for _ in 0..<random.below(5) { if let node = node(nodes) { others.append(node) } }
    if let first = others.first, random.once(in: 2) { others.append(first) }
    var own: [Link<Leaf>] = []
    for _ in 0..<random.below(3) { if let leaf = leaf(leaves) { own.append(leaf) } }
    return Node(
      key, random.below(5), next: random.once(in: 2) ? node(nodes) : nil, others: List(others), leaves: List(own),
      needs: random.once(in: 4) ? leaf(leaves) : nil)
  }

  /// A new key, or one that is there, no two the same.
  private mutating func key(among known: [String], _ isMerging: Bool, _ keys: inout Set<String>) -> String {
    let free = known.filter { !keys.contains($0) }.sorted()
    if isMerging, !free.isEmpty, random.once(in: 2) {
      let key = free[random.below(free.count)]
      keys.insert(key)
      return key
    }
    nextKey += 1
    return "k\(nextKey)"
  }

  /// A node to link to: a new one or one that is there.
  private mutating func node(_ new: [Link<Node>]) -> Link<Node>? {
    let known = model.nodes.keys.sorted()
    let place = random.below(max(1, new.count * 2 + known.count))
    if place < new.count * 2 { return new[place / 2] }
    return known.isEmpty ? nil : Link(ObjectID<Node>(ObjectNumber(known[place - new.count * 2])))
  }

  private mutating func leaf(_ new: [Link<Leaf>]) -> Link<Leaf>? {
    let known = model.leaves.keys.sorted()
    let place = random.below(max(1, new.count * 2 + known.count))
    if place < new.count * 2 { return new[place / 2] }
    return known.isEmpty ? nil : Link(ObjectID<Leaf>(ObjectNumber(known[place - new.count * 2])))
  }

  private mutating func settle(_ node: Node, _ number: UInt64, _ known: NodeModel) throws {
    guard known.node(node.key) ?? number == number, known.nodes[number].map({ $0.key == node.key }) ?? true else {
      throw Problem(text: "\(node.key) became \(number)")
    }
    if mistake == .mergingAdds, known.nodes[number] != nil { return }
    model.nodes[number] = state(of: node)
  }

  private mutating func settle(_ leaf: Leaf, _ number: UInt64, _ known: NodeModel) throws {
    guard known.leaf(leaf.key) ?? number == number, known.leaves[number].map({ $0.key == leaf.key }) ?? true else {
      throw Problem(text: "\(leaf.key) became \(number)")
    }
    model.leaves[number] = state(of: leaf)
  }

  /// The values of an object whose links are all there.
  private func state(of node: Node) -> NodeModel.Node {
    var others = node.others.ids.map(\.number.rawValue)
    if mistake == .duplicatesAreOne { others = others.reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
    return NodeModel.Node(
      key: node.key, value: node.value, next: node.next?.id?.number.rawValue, others: others,
      leaves: node.leaves.ids.map(\.number.rawValue), needs: node.needs?.id?.number.rawValue)
  }

  private func state(of leaf: Leaf) -> NodeModel.Leaf {
    NodeModel.Leaf(key: leaf.key, home: leaf.home?.id?.number.rawValue)
  }

  // MARK: Changing

  private mutating func update(_ tx: WriteTransaction) throws {
    guard let number = model.nodes.keys.sorted().randomElement(using: &random), var state = model.nodes[number] else {
      return
    }
    counts["updated", default: 0] += 1
    let (node, leaf) = (node([]), leaf([]))
    let shuffled = state.others.shuffled(using: &random)
    let choice = random.below(8)
    let (from, to) = (random.below(max(1, state.others.count)), random.below(max(1, state.others.count)))
    try tx.update(ObjectID<Node>(ObjectNumber(number))) { object in
      switch choice {
      case 0: object.others = List(shuffled.map { ObjectID<Node>(ObjectNumber($0)) })
      case 1 where !object.others.isEmpty: object.others.move(from: from, to: to)
      case 2: if let node { object.others.append(node) }
      case 3: if let node { object.others.remove(node) }
      case 4: object.next = node
      case 5: object.needs = leaf
      case 6: if let leaf { object.leaves.insert(leaf, at: 0) }
      default: object.value += 1
      }
    }
    let (target, leafTarget) = (node?.id?.number.rawValue, leaf?.id?.number.rawValue)
    switch choice {
    case 0: state.others = mistake == .orderIsLost ? shuffled.sorted() : shuffled
    case 1 where !state.others.isEmpty: state.others.insert(state.others.remove(at: from), at: to)
    case 2: if let target { state.others.append(target) }
    case 3: state.others.removeAll { $0 == target }
    case 4: state.next = target
    case 5: state.needs = leafTarget
    case 6: if let leafTarget { state.leaves.insert(leafTarget, at: 0) }
    default: state.value += 1
    }
    model.nodes[number] = state
  }

  // MARK: Deleting

  /// Deletes a node, or those with a value; what is refused has changed nothing.
  private mutating func deleteNodes(_ tx: WriteTransaction) throws {
    guard let number = model.nodes.keys.sorted().randomElement(using: &random) else { return }
    let value = random.once(in: 3) ? random.below(5) : nil
    let chosen = value.map { value in model.nodes.filter { $0.value.value == value }.map(\.key) } ?? [number]
    var changed = model
    let isAllowed = changed.delete(chosen, mistake)
    do {
      if let value {
        let count = try tx.delete(tx.objects(Node.self).filter("value == %@", value))
        if count != chosen.count { throw Problem(text: "\(count) deleted, not \(chosen.count)") }
      } else if !(try tx.delete(ObjectID<Node>(ObjectNumber(number)))) {
        throw Problem(text: "\(number) was not there")
      }
      if !isAllowed { throw Problem(text: "\(chosen) should have been kept") }
      counts["deleted", default: 0] += 1
    } catch StoreError.deleteDenied(let denied) {
      let (entity, path, other, others) = (denied.entity, denied.path, denied.other, denied.others.map(\.number))
      counts["denied", default: 0] += 1
      guard !isAllowed, entity == "Node", path == "needs", other == "Leaf", others.count == 1 else {
        throw Problem(text: "\(chosen) should have been deleted")
      }
      if let problem = try difference(tx.objects(Node.self), tx.objects(Leaf.self)) {
        throw Problem(text: "after a delete that was denied, \(problem)")
      }
    }
    if isAllowed { model = changed }
  }

  private mutating func deleteLeaf(_ tx: WriteTransaction) throws {
    guard let number = model.leaves.keys.sorted().randomElement(using: &random) else { return }
    counts["leaves deleted", default: 0] += 1
    if !(try tx.delete(ObjectID<Leaf>(ObjectNumber(number)))) { throw Problem(text: "leaf \(number) was not there") }
    model.delete(leaf: number, mistake)
  }

  // MARK: Asking

  /// Asks what the write has made so far.
  private mutating func ask(_ tx: WriteTransaction) throws {
    counts["asked within a write", default: 0] += 1
    let nodes = model.nodes
    let leaves = model.leaves
    guard let wanted = nodes.keys.sorted().randomElement(using: &random), let key = nodes[wanted]?.key else { return }
    let number = random.below(3)
    let found = tx.objects(Node.self)
    try expect(found.filter("ANY others.key == %@", key).ids, nodes.filter { $0.value.others.contains(wanted) }.keys)
    try expect(
      found.filter("next.value == %@", number).ids,
      nodes.filter { $0.value.next.flatMap { nodes[$0] }?.value == number }.keys)
    try expect(found.filter("leaves.@count == %@", number).ids, nodes.filter { $0.value.leaves.count == number }.keys)
    try expect(found.filter("before.@count > %@", number).ids, nodes.keys.filter { model.before($0).count > number })
    try expect(
      found.filter("SUBQUERY(others, $o, $o.value == value).@count > 1").ids,
      nodes.filter { node in node.value.others.count { nodes[$0]?.value == node.value.value } > 1 }.keys)
    try expect(
      tx.objects(Leaf.self).filter("ANY holders.key == %@ OR home.next.key == %@", key, key).ids,
      leaves.filter { leaf in
        model.holders(leaf.key).contains(wanted) || leaf.value.home.flatMap { nodes[$0]?.next } == wanted
      }.keys)
  }

  private func expect<M: Model>(_ found: [ObjectID<M>], _ wanted: some Sequence<UInt64>) throws {
    if found.map(\.number.rawValue) != wanted.sorted() {
      throw Problem(text: "within a write \(found) are found, not \(wanted.sorted())")
    }
  }

  /// What the store has that the model has not, or the other way round.
  private func difference(_ nodes: Results<Node>, _ leaves: Results<Leaf>) throws -> String? {
    var found = NodeModel()
    for node in try nodes.objects() {
      let number = node.objectID?.number.rawValue ?? 0
      found.nodes[number] = NodeModel.Node(
        key: node.key, value: node.value, next: node.next?.id?.number.rawValue,
        others: node.others.ids.map(\.number.rawValue), leaves: node.leaves.ids.map(\.number.rawValue),
        needs: node.needs?.id?.number.rawValue)
      let before = try node.before.ids.map(\.number.rawValue)
      if before != model.before(number) { return "\(before) come before \(number), not \(model.before(number))" }
      // Links are followed in the version that is read.
      let keys = try node.others.objects().map(\.key)
      let expected = node.others.ids.map { model.nodes[$0.number.rawValue]?.key ?? "nobody" }
      if keys != expected { return "the others of \(number) are \(keys), not \(expected)" }
    }
    for leaf in try leaves.objects() {
      let number = leaf.objectID?.number.rawValue ?? 0
      found.leaves[number] = NodeModel.Leaf(key: leaf.key, home: leaf.home?.id?.number.rawValue)
      let holders = try leaf.holders.ids.map(\.number.rawValue)
      if holders != model.holders(number) { return "\(holders) hold \(number), not \(model.holders(number))" }
    }
    if found == model { return nil }
    for number in Set(found.nodes.keys).union(model.nodes.keys).sorted()
    where found.nodes[number] != model.nodes[number] {
      return "node \(number) is \(found.nodes[number].map { "\($0)" } ?? "gone"), not "
        + "\(model.nodes[number].map { "\($0)" } ?? "gone")"
    }
    return "the leaves are \(found.leaves), not \(model.leaves)"
  }
}

/// Random numbers that are the same for the same seed.
private struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number from 0 up to, not including, a limit.
  mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &self) }

  mutating func once(in count: Int) -> Bool { below(count) == 0 }
}
