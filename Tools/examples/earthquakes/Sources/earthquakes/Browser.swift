import Foundation
import ObjectStore

/// The list on the screen: what was chosen, the query behind it, and what the query found.
@MainActor final class Browser {
  /// Earthquakes under a heading.
  struct Section {
    var title: String?
    var quakes: [Quake]
  }

  private let store: Store
  private let live: ObservedQuery<Quake>
  private var shown: Results<Quake>?
  private(set) var choice: Choice
  private(set) var sections: [Section] = []
  private(set) var selected: ObjectID<Quake>?
  private(set) var total = 0
  /// Whether keys go into the search field.
  private(set) var isSearching = false
  /// What ended the query: from then on the list is no longer kept up to date.
  private(set) var failure: String?
  /// Called when there is something else to show.
  var onChange: () -> Void = {}

  init(_ store: Store, _ choice: Choice) throws {
    self.store = store
    self.choice = choice
    live = ObservedQuery(try choice.results(in: store))
  }

  /// Shows what the query finds and what becomes of it, until the task ends.
  func follow() async throws {
    for try await change in live.changes() {
      switch change {
      case .initial(let results): try show(results)
      case .update(let results, _, _, _, _): try show(results)
      }
    }
  }

  /// Shows what the query finds now.
  func showOnce() async throws {
    for try await case .initial(let results) in live.changes() {
      try show(results)
      return
    }
  }

  /// Says that the query ended by an error.
  func show(_ error: any Error) {
    failure = error.localizedDescription
    onChange()
  }

  private func show(_ results: Results<Quake>) throws {
    shown = results
    total = try store.objects(Quake.self).count
    if choice.hasSections {
      sections = try results.sectioned(by: \.net, order: .forward).sections().map {
        Section(title: "\($0.key) (\($0.count))", quakes: try $0.objects)
      }
    } else {
      sections = [Section(title: nil, quakes: try results.array)]
    }
    if !quakes.contains(where: { $0.objectID == selected }) { selected = quakes.first?.objectID }
    onChange()
  }

  /// The earthquakes as they stand on the screen.
  var quakes: [Quake] { sections.flatMap(\.quakes) }

  /// Does what a key says; false when it says to leave.
  func press(_ key: Key) throws -> Bool {
    if isSearching, try search(key) { return true }
    switch key {
    case .character("q"), .end: return false
    case .character("/"): isSearching = true
    case .left: try choose { $0.move(days: -1) }
    case .right: try choose { $0.move(days: 1) }
    case .character("m"): try choose { $0.order = .magnitude }
    case .character("t"): try choose { $0.order = .time }
    case .character("r"): try choose { $0.isReversed.toggle() }
    case .character("s"):
      choice.hasSections.toggle()
      if let shown { try show(shown) }
    case .up: select(by: -1)
    case .down: select(by: 1)
    case .character, .delete, .enter, .escape: break
    }
    onChange()
    return true
  }

  /// Whether the key belongs to the search field.
  private func search(_ key: Key) throws -> Bool {
    switch key {
    case .character(let character): try choose { $0.text.append(character) }
    case .delete: try choose { _ = $0.text.popLast() }
    case .enter, .escape: isSearching = false
    case .left, .right, .up, .down, .end: return false
    }
    onChange()
    return true
  }

  /// Another choice is another query, whose objects come as a change.
  private func choose(_ change: (inout Choice) -> Void) throws {
    change(&choice)
    live.results = try choice.results(in: store)
  }

  private func select(by step: Int) {
    let quakes = quakes
    guard let place = quakes.firstIndex(where: { $0.objectID == selected }) else { return }
    if quakes.indices.contains(place + step) { selected = quakes[place + step].objectID }
  }
}
