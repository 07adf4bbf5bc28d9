import Foundation
import ObjectStoreCore
import Testing

/// A value of no model, kept encoded.
struct Meta: Codable, Hashable {
  var source = "", weight = 0.0, tags: [String] = [], nested: [String: [Int]] = [:]
}

/// What `@Model` writes for addresses, integers of all widths and encoded values, by hand.
struct Offer: Model, Codable {
  var name: String
  var site: URL?
  var links: [URL] = []
  var tiny: UInt8 = 0
  var small: UInt16 = 0
  var medium: UInt32 = 0
  var big: UInt64 = 0
  var whole: UInt = 0
  var sizes: Set<UInt16> = []
  var bigs: [UInt64] = []
  var share: Float = 0
  var meta = Meta()
  var extra: Meta?
  var rival: Link<Offer>?
  var related: List<Offer> = []
  var rivals = LinkingObjects<Offer>()
  /// Not stored.
  var opened = 0
  private var _objectID = ObjectIdentity<Offer>()

  init(_ name: String) { self.name = name }

  static let modelDefinition = ModelDefinition(of: Offer.self, name: "Offer") { model in
    model.property("name", \Offer.name, \Offer?.?.name)
    model.property("site", \Offer.site, \Offer?.?.site, indexes: [.ordered])
    model.property("links", \Offer.links, \Offer?.?.links)
    model.property("tiny", \Offer.tiny, \Offer?.?.tiny)
    model.property("small", \Offer.small, \Offer?.?.small)
    model.property("medium", \Offer.medium, \Offer?.?.medium)
    model.property("big", \Offer.big, \Offer?.?.big)
    model.property("whole", \Offer.whole, \Offer?.?.whole)
    model.property("sizes", \Offer.sizes, \Offer?.?.sizes)
    model.property("bigs", \Offer.bigs, \Offer?.?.bigs)
    model.property("share", \Offer.share, \Offer?.?.share)
    model.codable("meta", \Offer.meta, made: { Meta() })
    model.codable("extra", \Offer.extra)
    model.property("rival", \Offer.rival, \Offer?.?.rival)
    model.property("related", \Offer.related, \Offer?.?.related)
    model.inverse("rivals", \Offer.rivals, of: \Offer.rival, path: "rival")
  }

  var objectID: ObjectID<Offer>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  init(from row: inout RowDecoder) throws {
    name = try row.next()
    site = try row.next()
    links = try row.next()
    tiny = try row.next()
    small = try row.next()
    medium = try row.next()
    big = try row.next()
    whole = try row.next()
    sizes = try row.next()
    bigs = try row.next()
    share = try row.next()
    meta = try row.nextEncoded()
    extra = try row.nextEncoded()
    rival = try row.next()
    related = try row.next()
    rivals = LinkingObjects(through: "rival", in: row)
  }

  func encode(into row: inout RowEncoder) {
    name.encode(into: &row)
    site.encode(into: &row)
    links.encode(into: &row)
    tiny.encode(into: &row)
    small.encode(into: &row)
    medium.encode(into: &row)
    big.encode(into: &row)
    whole.encode(into: &row)
    sizes.encode(into: &row)
    bigs.encode(into: &row)
    share.encode(into: &row)
    row.append(encoding: meta)
    row.append(encoding: extra)
    rival.encode(into: &row)
    related.encode(into: &row)
  }
}

extension Offer {
  /// One with something in every property.
  static var full: Offer {
    get throws {
      var offer = Offer("tent")
      offer.site = try #require(URL(string: "https://example.org/tents?size=3#top"))
      offer.links = [try #require(URL(string: "file:///tmp/a%20b"))]
      (offer.tiny, offer.small, offer.medium) = (.max, .max, .max)
      (offer.big, offer.whole) = (UInt64(Int64.max), UInt(Int.max))
      (offer.sizes, offer.bigs) = ([65_535, 3], [1, UInt64(Int64.max)])
      offer.share = 0.1
      offer.meta = Meta(source: "shop/1", weight: -.infinity, tags: ["a", "é"], nested: ["x": [1, 2]])
      offer.extra = Meta(source: "more")
      return offer
    }
  }
}
