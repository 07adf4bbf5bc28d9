internal import Glibc

/// A closed line of great-circle arcs that does not cross itself, and the smaller of the two parts it makes of the
/// earth. Of two equal halves it is the one to the left.
package struct GeoRing: Hashable, Sendable {
  /// Why points make no ring, and which of them is to blame.
  package enum Fault: Error, Hashable, Sendable {
    /// Fewer than three different points.
    case tooFewPoints
    case tooManyPoints
    /// The arc from this point to the next has no one way to go.
    case antipodes(Int)
    /// The arcs that begin at these points meet.
    case crossing(Int, Int)
  }

  /// How many points a ring may have.
  package static let limit = 10_000
  /// What counts as on an arc, in radians: some nanometres on the ground.
  private static let width = 2e-15

  /// An arc from one corner to the next.
  struct Arc: Hashable, Sendable {
    let start: UnitVector
    let end: UnitVector
    /// The axis of its great circle, counter-clockwise from start to end.
    let axis: UnitVector
    /// The longitudes of its ends, seen along the ring's own axis, and the way between.
    let from: Double
    let to: Double
    let goesEast: Bool
  }

  let points: [GeoPoint]
  let arcs: [Arc]
  /// What crossings are counted on the way to. It is far from every arc's great circle.
  private let axis: UnitVector
  /// The axis's meridian 0, and 90° east of it.
  private let zero: UnitVector
  private let quarter: UnitVector
  private let containsAxis: Bool

  /// The ring through some points; the last may repeat the first, and points repeated one after another count once.
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

  /// Of some directions that no map is made along the one farthest from all the great circles.
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

  /// Two directions at right angles to an axis and to each other.
  private static func frame(of axis: UnitVector) -> (UnitVector, UnitVector) {
    let aside = axis.z.magnitude < 0.9 ? UnitVector.north : UnitVector(x: 1, y: 0, z: 0) ?? .north
    let along = aside.dot(axis)
    let zero =
      UnitVector(x: aside.x - along * axis.x, y: aside.y - along * axis.y, z: aside.z - along * axis.z) ?? aside
    return (zero, zero.turned(around: axis))
  }

  /// Whether the smaller part of the earth is the one with the axis. The triangles that the axis makes with the arcs
  /// sum to the part without it or, when the ring goes round the axis, to the part with it.
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

  // MARK: Asking

  /// Where a place is.
  enum Side {
    case inside
    case edge
    case outside
  }

  /// Where a direction is: on an arc, or else on one side, by the number of arcs on the way to the axis.
  func side(of point: UnitVector) -> Side {
    let longitude = atan2(point.dot(quarter), point.dot(zero))
    var crossings = 0
    for arc in arcs {
      let height = arc.axis.dot(point)
      if height.magnitude <= Self.width, Self.isBetween(point, arc) { return .edge }
      let (first, last) = arc.goesEast ? (arc.from, arc.to) : (arc.to, arc.from)
      let isBeside = first <= last ? first <= longitude && longitude < last : first <= longitude || longitude < last
      // What is to the right of an arc that goes east is farther from the axis than the arc.
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

  /// Two arcs that meet elsewhere than where one goes over into the next; nil when there are none.
  private static func crossing(of arcs: [Arc]) -> (Int, Int)? {
    // Arcs are looked at by their southernmost points, so that only those at the same height are compared.
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

  /// The least and greatest height above the equator's plane of an arc's points, and a little more.
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
    // They pass through the two points where the great circles meet, which are antipodes: it must be the same one.
    return (sides.0 < 0) == (sides.2 > 0)
  }

  /// Whether of two arcs that follow each other one lies on the other.
  private static func turnsBack(_ arcs: [Arc], _ first: Int, _ second: Int) -> Bool {
    let (a, b) = second == first + 1 ? (arcs[first], arcs[second]) : (arcs[second], arcs[first])
    return a.axis.dot(b.end).magnitude <= width && isBetween(b.end, a)
      || b.axis.dot(a.start).magnitude <= width && isBetween(a.start, b)
  }
}

extension GeoRing.Arc {
  /// The northernmost point of its great circle; nil when that is the equator.
  var top: UnitVector? { UnitVector(x: -axis.z * axis.x, y: -axis.z * axis.y, z: 1 - axis.z * axis.z) }
}
