public import FoundationEssentials

extension Int: QueryRangeBound {
  /// The value minus 1; nil for the minimum.
  public var predecessor: Int? { self == .min ? nil : self - 1 }
}

extension Int8: QueryRangeBound {
  /// The value minus 1; nil for the minimum.
  public var predecessor: Int8? { self == .min ? nil : self - 1 }
}

extension Int16: QueryRangeBound {
  /// The value minus 1; nil for the minimum.
  public var predecessor: Int16? { self == .min ? nil : self - 1 }
}

extension Int32: QueryRangeBound {
  /// The value minus 1; nil for the minimum.
  public var predecessor: Int32? { self == .min ? nil : self - 1 }
}

extension Int64: QueryRangeBound {
  /// The value minus 1; nil for the minimum.
  public var predecessor: Int64? { self == .min ? nil : self - 1 }
}

extension Double: QueryRangeBound {
  /// The next representable number below.
  public var predecessor: Double? { nextDown }
}

extension Float: QueryRangeBound {
  /// The next representable number below.
  public var predecessor: Float? { nextDown }
}

extension Date: QueryRangeBound {
  /// The next representable moment before.
  public var predecessor: Date? { Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate.nextDown) }
}
