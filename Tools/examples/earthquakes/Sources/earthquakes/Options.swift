import Foundation

/// What the command line says.
struct Options {
  static let usage = """
    earthquakes STORE [--feed FILE] [--day YYYY-MM-DD] [--search TEXT] [--sort magnitude|time] [--ascending]
                      [--sections] [--once]

    Shows the earthquakes of a store, a folder that is made when it is not there. --feed reads GeoJSON of the US
    Geological Survey into it; --once prints one screen and leaves.
    """

  struct Mistake: LocalizedError {
    var errorDescription: String?
    init(_ text: String) { errorDescription = "\(text)\n\n\(Options.usage)" }
  }

  var store: String
  var feed: String?
  var day: Date?
  var text = ""
  var order = Choice.Order.time
  var isReversed = true
  var hasSections = false
  var isOnce = false

  init(_ words: [String]) throws {
    var words = words[...]
    var paths: [String] = []
    func value(of option: String) throws -> String {
      guard let value = words.popFirst() else { throw Mistake("\(option) needs a value") }
      return value
    }
    while let word = words.popFirst() {
      switch word {
      case "--feed": feed = try value(of: word)
      case "--day":
        let text = try value(of: word)
        guard let date = try? Date("\(text)T00:00:00Z", strategy: .iso8601) else {
          throw Mistake("'\(text)' is no day")
        }
        day = date
      case "--search": text = try value(of: word)
      case "--sort":
        let text = try value(of: word)
        guard let order = Choice.Order(rawValue: text) else { throw Mistake("there is no order '\(text)'") }
        self.order = order
      case "--ascending": isReversed = false
      case "--sections": hasSections = true
      case "--once": isOnce = true
      case _ where word.hasPrefix("-"): throw Mistake("there is no option '\(word)'")
      default: paths.append(word)
      }
    }
    guard paths.count == 1 else { throw Mistake("say which store") }
    store = paths[0]
  }

  /// What to show first: of the day that is asked for, else of the last one with an earthquake.
  func choice(latest: Date?) -> Choice {
    var choice = Choice(day: day ?? latest ?? Date())
    choice.text = text
    choice.order = order
    choice.isReversed = isReversed
    choice.hasSections = hasSections
    return choice
  }
}
