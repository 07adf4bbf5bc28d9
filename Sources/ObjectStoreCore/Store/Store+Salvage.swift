internal import Storage

/// The result of `Store.salvage(_:to:)`: the number of objects saved, and everything that could not be.
public struct SalvageReport: Hashable, Sendable {
  /// The number of objects of an entity that were saved.
  public struct EntityCount: Hashable, Sendable {
    /// The entity's name.
    public var name: String
    /// The number of objects in the new store.
    public var saved: Int
    /// The number of objects there were; nil if the count is lost too.
    public var counted: Int?
  }

  /// Objects, or a property of objects, that could not be saved.
  public struct Loss: Hashable, Sendable {
    /// The entity's name.
    public var entity: String
    /// The numbers of the objects. Where it is not known which objects there were, all that there may have been.
    public var objects: ClosedRange<UInt64>
    /// The dotted path of the property; nil if the objects are lost as a whole.
    public var property: String?
    /// The damaged pages of the file, if known.
    public var pages: ClosedRange<Int>?
    /// What is wrong.
    public var reason: String
  }

  /// The entities, in order of creation.
  public var entities: [EntityCount]
  /// Everything that could not be saved; empty when nothing was lost.
  public var losses: [Loss]
  /// Sentences about what else is to know: that the newest commit could not be read, or what differs in the new store.
  public var notes: [String]
  /// Whether the last changes may be missing: which commit was the last one, or which pages are its own, could not be
  /// told. A note says which.
  public var mayLackChanges: Bool

  /// Whether everything of the last commit is in the new store.
  public var isWhole: Bool { losses.isEmpty && !mayLackChanges }
}

extension SalvageReport.Loss: CustomStringConvertible {
  /// `Quake 512 to 767, 'place': page 37: the checksum of its values is wrong`
  public var description: String {
    let numbers =
      objects.lowerBound == objects.upperBound
      ? "\(objects.lowerBound)" : "\(objects.lowerBound) to \(objects.upperBound)"
    let place = pages.map {
      $0.lowerBound == $0.upperBound ? ": page \($0.lowerBound)" : ": pages \($0.lowerBound) to \($0.upperBound)"
    }
    return "\(entity) \(numbers)\(property.map { ", '\($0)'" } ?? "")\(place ?? ""): \(reason)"
  }
}

extension Store {
  /// Writes what can be read of a damaged store to a new one: every intact object, and of the others every intact
  /// property.
  ///
  /// ```swift
  /// let report = try Store.salvage("/var/lib/quakes", to: "/var/lib/quakes-saved")
  /// for loss in report.losses { print(loss) }
  /// ```
  ///
  /// The damaged store may be one that can't be opened. It is not changed, and nobody can write to it meanwhile.
  /// Objects keep their numbers, links lead to the same objects, and indexes are built from the objects. A link to an
  /// object that could not be saved is left out. A property that must have a value becomes optional in the new store if
  /// values of it are lost: nothing is invented.
  ///
  /// - Parameters:
  ///   - path: The folder of the damaged store.
  ///   - new: A folder that does not exist or is empty. The store appears in it only when it is complete and on disk.
  ///   - cancellation: Cancels the work; nothing of the new store remains.
  /// - Throws: `StoreError`: `corrupted` when neither the schema nor its copy can be read; `notFound`, `notAStore`,
  ///   `newerFormat`, `unknownFeature`, `busy` when somebody else writes, `io` when the new folder is not empty or the
  ///   disk is full, `cancelled`.
  public static func salvage(
    _ path: String, to new: String, cancellation: Cancellation? = nil
  ) throws -> SalvageReport {
    let report = try StoreFile.salvage(path, to: new, wait: cancellation.wait)
    return SalvageReport(
      entities: report.entities.map { SalvageReport.EntityCount(name: $0.name, saved: $0.saved, counted: $0.counted) },
      losses: report.lost.map {
        SalvageReport.Loss(
          entity: $0.entity, objects: $0.objects, property: $0.property, pages: $0.pages, reason: $0.reason)
      }, notes: report.notes, mayLackChanges: report.mayLackChanges)
  }
}
