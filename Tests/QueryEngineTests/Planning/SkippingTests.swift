import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// Clusters whose least and greatest values say that nothing in them passes are not asked.
@Suite struct SkippingTests {
  @Test(arguments: [ScalarType.int8, .int16, .int32, .int, .float, .double, .date])
  func clustersOutOfRangeAreNotAsked(_ type: ScalarType) throws {
    // Each cluster has one value more than the one before.
    let store = try TestStore(
      type,
      (0..<12_800).map { number in
        let value = (number + 1) / 256
        return switch type {
        case .float: .float(Float(value) + 0.5)
        case .double: .double(Double(value) + 0.1)
        case .date: .date(Instant(seconds: Double(value) + 0.25))
        default: .int(Int64(value))
        }
      })
    let bounds: (Value, Value) =
      switch type {
      case .float, .double: (.double(20), .double(22.75))
      case .date: (.date(Instant(seconds: 20)), .date(Instant(seconds: 22.75)))
      default: (.int(20), .int(22))
      }
    let snapshot = try store.file.beginSnapshot()
    for (text, arguments, most) in [
      ("x >= %@ AND x <= %@", [bounds.0, bounds.1], 3), ("x > %@", [bounds.1], 29), ("x < %@", [bounds.0], 20),
    ] {
      let plan = try store.compile(text, Arguments(arguments)).plan(in: snapshot)
      let metrics = ExecutionMetrics(plan: plan)
      #expect(try !Executor(plan, snapshot, metrics: metrics).objects(plan.root).isEmpty)
      let asked = metrics.nodes[plan.root.id].clustersRead
      #expect(asked > 0 && asked <= most, "\(text): \(asked)")
    }
  }
}
