public import FoundationEssentials
internal import PredicateLanguage

/// A unit of the calendar in UTC that dates are grouped by, for ``QueryExpression/bucket(_:)``. Weeks begin on Monday.
public enum DatePeriod: String, CaseIterable, Hashable, Sendable {
  case second, minute, hour, day, week, month, quarter, year
}

extension QueryExpression where Value: QueryOperand, Value.QueryBase == Date {
  /// The start of the period that the date lies in, in UTC; nil for nil. `bucket(time, 'day')` in text.
  ///
  /// An index on the date serves comparisons of it.
  ///
  /// ```swift
  /// let ofToday = quakes.where { $0.time.bucket(.day) == today }
  /// ```
  ///
  /// - Parameter period: The unit whose start is meant.
  public func bucket(_ period: DatePeriod) -> QueryExpression<Date?> {
    QueryExpression<Date?>(term.called("bucket", .string(period.rawValue)))
  }
}

extension QueryExpression where Value: QueryOperand, Value.QueryBase == String {
  /// The string without white space at either end; nil for nil. `trim(place)` in text.
  ///
  /// ```swift
  /// let alaskan = quakes.where { $0.place.trimmed == "Alaska" }
  /// ```
  public var trimmed: QueryExpression<String?> { QueryExpression<String?>(term.called("trim")) }

  /// The string with each occurrence of `text` replaced, from left to right; nil for nil, and for a result of over
  /// 4 MiB. `replace(place, from, to)` in text.
  ///
  /// ```swift
  /// let alaskan = quakes.where { $0.place.replacing("AK", with: "Alaska") == "Alaska" }
  /// ```
  ///
  /// - Parameters:
  ///   - text: What is replaced, compared by bytes; nothing is for an empty string.
  ///   - replacement: What takes its place.
  public func replacing(_ text: String, with replacement: String) -> QueryExpression<String?> {
    QueryExpression<String?>(term.called("replace", .string(text), .string(replacement)))
  }

  /// The part of the string from a position on, counted in Unicode scalars from 0; nil for nil. Positions outside the
  /// string have no scalars. `substring(place, start, length)` in text.
  ///
  /// ```swift
  /// let american = quakes.where { $0.code.substring(from: 0, length: 2) == "us" }
  /// ```
  ///
  /// - Parameters:
  ///   - start: The position of the first scalar.
  ///   - length: The number of positions; nil for all up to the end.
  public func substring(from start: Int, length: Int? = nil) -> QueryExpression<String?> {
    let numbers = [start] + (length.map { [$0] } ?? [])
    return QueryExpression<String?>(term.called("substring", numbers.map { .int(Int64($0)) }))
  }
}

extension QueryTerm {
  /// A function of the term and constants.
  fileprivate func called(_ name: String, _ constants: StoredValue...) -> QueryTerm { called(name, constants) }

  fileprivate func called(_ name: String, _ constants: [StoredValue]) -> QueryTerm {
    QueryTerm(
      ExpressionSyntax(.call(name, [expression] + constants.map { ExpressionSyntax(.literal($0)) })), of: [self])
  }
}
