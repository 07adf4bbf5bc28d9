import Foundation
import ObjectStore

/// What somebody chose to see: a day, a text, an order, sections.
struct Choice {
  enum Order: String { case magnitude, time }

  /// The beginning of the day, in UTC.
  var day: Date
  var text = ""
  var order = Order.time
  var isReversed = true
  var hasSections = false

  static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  init(day: Date) { self.day = Self.calendar.startOfDay(for: day) }

  mutating func move(days: Int) {
    day = Self.calendar.date(byAdding: .day, value: days, to: day) ?? day
  }

  /// The earthquakes of the day whose place has the text, in the order.
  func results(in store: Store) throws -> Results<Quake> {
    let (start, end) = (day, Self.calendar.date(byAdding: .day, value: 1, to: day) ?? day)
    let ofTheDay = Query<Quake> { $0.time >= start && $0.time < end }
    let found = Query<Quake> { $0.place.contains(text, options: [.caseInsensitive, .diacriticInsensitive]) }
    let quakes = try store.objects(Quake.self).filter(ofTheDay && found)
    let sortOrder = isReversed ? SortOrder.reverse : .forward
    return switch order {
    case .magnitude: quakes.sorted(by: \.magnitude, order: sortOrder)
    case .time: quakes.sorted(by: \.time, order: sortOrder)
    }
  }
}
