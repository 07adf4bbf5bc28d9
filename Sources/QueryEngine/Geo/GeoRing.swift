internal import Glibc

/// A closed line of great-circle arcs that does not cross itself. Its inside is the smaller of the two parts of the
/// earth; of two equal halves, the left one.
package struct GeoRing: Hashable, Sendable {
  /// The reason why points form no ring, with the points at fault.
  package enum Fault: Error, Hashable, Sendable {
    /// Fewer than three different points.
    case tooFewPoints
    case tooManyPoints
    /// The arc from this point to the next is ambiguous, because they are antipodes.
    case antipodes(Int)
    /// The arcs that begin at these points cross or touch.
    case crossing(Int, Int)
  }

  /// The maximum number of points of a ring.
  package static let limit = 10_000
  /// The tolerance for points on an arc, in radians: some nanometres on the ground.
  private static let width = 2e-15

  /// An arc from one corner to the next.
  struct Arc: Hashable, Sendable {
    let start: UnitVector
    let end: UnitVector
    /// The axis of its great circle, counter-clockwise from start to end.
    let axis: UnitVector
    /// The longitudes of its ends around the ring's axis, and its direction.
    let from: Double
    let to: Double
    let goesEast: Bool
  }

  let points: [GeoPoint]
  let arcs: [Arc]
  /// The axis towards which crossings are counted. It is far from every arc's great circle.
  private let axis: UnitVector
  /// The axis's meridian 0, and 90° east of it.
  private let zero: UnitVector
  private let quarter: UnitVector
  private let containsAxis: Bool

  /// The ring through some points. The last may repeat the first; consecutive equal points count once.
  package init(_ given: [GeoPoint]) throws(Fault) {
    var points: [GeoPoint] = []
    var places: [Int] = []
    var corners: [UnitVector] = []
    for (place, point) in given.enumerated() {
      let corner = UnitVector(point)
      if let last = corners.last, Self.areSame(last, corner) { continue }
      points.append(point)
      places.append(place)
      corners.append(corner)
    }
    if corners.count > 1, let first = corners.first, let last = corners.last, Self.areSame(first, last) {
      points.removeLast()
      places.removeLast()
      corners.removeLast()
    }
    guard corners.count >= 3 else { throw .tooFewPoints }
    guard corners.count <= Self.limit else { throw .tooManyPoints }
    var axes: [UnitVector] = []
    for (place, corner) in corners.enumerated() {
      guard let axis = UnitVector.axis(corner, corners[(place + 1) % corners.count]) else {
        throw .antipodes(places[place])
      }
      axes.append(axis)
    }
    self.points = points
    axis = Self.distant(from: axes)
    (zero, quarter) = Self.frame(of: axis)
    let longitudes = corners.map { [zero, quarter] in atan2($0.dot(quarter), $0.dot(zero)) }
    arcs = corners.indices.map { place in
      let next = (place + 1) % corners.count
      let way = (longitudes[next] - longitudes[place]).remainder(dividingBy: 2 * .pi)
      return Arc(
        start: corners[place], end: corners[next], axis: axes[place], from: longitudes[place], to: longitudes[next],
        goesEast: way > 0)
    }
    if let (first, second) = Self.crossing(of: arcs) { throw .crossing(places[first], places[second]) }
    containsAxis = Self.isAxisInside(axis, arcs)
  }

  private static func areSame(_ a: UnitVector, _ b: UnitVector) -> Bool {
    max((a.x - b.x).magnitude, (a.y - b.y).magnitude, (a.z - b.z).magnitude) <= width
  }

  /// Of some arbitrary directions, the one farthest from all great circles.
  private static func distant(from axes: [UnitVector]) -> UnitVector {
    var best = UnitVector.north
    var distance = -1.0
    for number in 1...24 {
      let turn = Double(number) * 2.399963229728653
      let z = 1 - (2 * Double(number) - 1) / 24
      let radius = (1 - z * z).squareRoot()
      guard let candidate = UnitVector(x: radius * cos(turn), y: radius * sin(turn), z: z) else { continue }
      let nearest = axes.reduce(1) { min($0, $1.dot(candidate).magnitude) }
      if nearest > distance { (best, distance) = (candidate, nearest) }
    }
    return best
  }

  /// Two directions perpendicular to an axis and to each other.
  private static func frame(of axis: UnitVector) -> (UnitVector, UnitVector) {
    let aside = axis.z.magnitude < 0.9 ? UnitVector.north : UnitVector(x: 1, y: 0, z: 0) ?? .north
    let along = aside.dot(axis)
    let zero =
      UnitVector(x: aside.x - along * axis.x, y: aside.y - along * axis.y, z: aside.z - along * axis.z) ?? aside
    return (zero, zero.turned(around: axis))
  }

  /// Whether the smaller part of the earth contains the axis. The areas of the triangles between the axis and the arcs
  /// sum to the part without the axis or, if the ring encloses it, to the part with it.
  private static func isAxisInside(_ axis: UnitVector, _ arcs: [Arc]) -> Bool {
    var area = 0.0
    var turns = 0.0
    for arc in arcs {
      let volume = UnitVector.volume(axis, arc.start, arc.end)
      area += 2 * atan2(volume, 1 + axis.dot(arc.start) + arc.start.dot(arc.end) + arc.end.dot(axis))
      turns += (arc.to - arc.from).remainder(dividingBy: 2 * .pi)
    }
    let goesRound = turns.magnitude > .pi
    let isHalf = (area.magnitude - 2 * .pi).magnitude < 1e-12
    if isHalf { return goesRound == (area > 0) }
    return goesRound == (area.magnitude < 2 * .pi)
  }

  // MARK: Sides

  /// The position of a point relative to the ring.
  enum Side {
    case inside
    case edge
    case outside
  }

  /// The side of a direction: on an arc, or inside or outside, by the number of arcs between it and the axis.
  func side(of point: UnitVector) -> Side {
    let longitude = atan2(point.dot(quarter), point.dot(zero))
    var crossings = 0
    for arc in arcs {
      let height = arc.axis.dot(point)
      if height.magnitude <= Self.width, Self.isBetween(point, arc) { return .edge }
      let (first, last) = arc.goesEast ? (arc.from, arc.to) : (arc.to, arc.from)
      let isBeside = first <= last ? first <= longitude && longitude < last : first <= longitude || longitude < last
      // A point to the right of an eastward arc is farther from the axis than the arc.
      if isBeside, arc.goesEast ? height < 0 : height > 0 { crossings += 1 }
    }
    return (crossings % 2 == 0) == containsAxis ? .inside : .outside
  }

  /// Whether a direction on an arc's great circle lies between its ends.
  private static func isBetween(_ point: UnitVector, _ arc: Arc) -> Bool {
    UnitVector.volume(arc.axis, arc.start, point) >= -width && UnitVector.volume(arc.axis, point, arc.end) >= -width
      && point.dot(arc.start) + point.dot(arc.end) > 0
  }

  // MARK: Crossings

  /// Two arcs that meet anywhere but in their common corner; nil if there are none.
  private static func crossing(of arcs: [Arc]) -> (Int, Int)? {
    // Sweeps the arcs by their southernmost points, so that only arcs at the same height are compared.
    let heights = arcs.map(heights)
    let order = arcs.indices.sorted { heights[$0].low < heights[$1].low }
    var open: [Int] = []
    for place in order {
      open.removeAll { heights[$0].high < heights[place].low }
      for other in open {
        let (first, second) = (min(place, other), max(place, other))
        let isNext = second == first + 1 || first == 0 && second == arcs.count - 1
        if isNext ? turnsBack(arcs, first, second) : meet(arcs[first], arcs[second]) { return (first, second) }
      }
      open.append(place)
    }
    return nil
  }

  /// The minimum and maximum distance of an arc's points from the equator's plane, with some tolerance.
  private static func heights(_ arc: Arc) -> (low: Double, high: Double) {
    var (low, high) = (min(arc.start.z, arc.end.z), max(arc.start.z, arc.end.z))
    if let top = arc.top {
      if isBetween(top, arc) { high = max(high, top.z) }
      if isBetween(top.opposite, arc) { low = min(low, -top.z) }
    }
    return (low - 1e-14, high + 1e-14)
  }

  /// Whether two arcs without a common end cross or touch.
  private static func meet(_ a: Arc, _ b: Arc) -> Bool {
    func isOn(_ point: UnitVector, _ arc: Arc) -> Bool {
      arc.axis.dot(point).magnitude <= width && isBetween(point, arc)
    }
    if isOn(a.start, b) || isOn(a.end, b) || isOn(b.start, a) || isOn(b.end, a) { return true }
    let sides = (a.axis.dot(b.start), a.axis.dot(b.end), b.axis.dot(a.start), b.axis.dot(a.end))
    guard (sides.0 > 0) != (sides.1 > 0), (sides.2 > 0) != (sides.3 > 0) else { return false }
    // Each arc passes through one of two antipodes in which the great circles intersect; it must be the same one.
    return (sides.0 < 0) == (sides.2 > 0)
  }

  /// Whether one of two consecutive arcs lies on the other.
  private static func turnsBack(_ arcs: [Arc], _ first: Int, _ second: Int) -> Bool {
    let (a, b) = second == first + 1 ? (arcs[first], arcs[second]) : (arcs[second], arcs[first])
    return a.axis.dot(b.end).magnitude <= width && isBetween(b.end, a)
      || b.axis.dot(a.start).magnitude <= width && isBetween(a.start, b)
  }
}

extension GeoRing.Arc {
  /// The northernmost point of its great circle; nil if that is the equator.
  var top: UnitVector? { UnitVector(x: -axis.z * axis.x, y: -axis.z * axis.y, z: 1 - axis.z * axis.z) }
}
