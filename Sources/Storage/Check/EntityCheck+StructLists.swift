internal import Schema
internal import Values

// Lists of structs: every part has as many values as there are structs, and nil only where it is allowed.

extension EntityCheck {
  /// Compares the parts of the lists in a cluster with the numbers of their structs.
  mutating func checkStructLists(_ view: ClusterView, _ columns: [ColumnView]) throws(StoreError) {
    for list in entity.structLists {
      for slot in 0..<view.slotCount where view.present[slot] {
        let count: Int? =
          if case .int(let count) = try columns[list.column].value(at: slot) { Int(clamping: count) } else { nil }
        if let count, count < 0 {
          report("structs", "\(place(view, list.column)): slot \(slot) has \(amount(count, "struct"))")
        }
        for part in list.parts {
          let elements = try columns[part].elements(at: slot)
          if elements?.count != count {
            report(
              "parts",
              "\(place(view, part)): slot \(slot) has \(elements.map { amount($0.count, "value") } ?? "no values") for "
                + (count.map { amount($0, "struct") } ?? "no structs"))
          } else if let elements, elements.nils != nil, !entity.columns[part].column.mayHoldNil,
            elements.range.contains(where: { elements.value(at: $0).isNull })
          {
            report("nil", "\(place(view, part)): nil in slot \(slot) where a value is needed")
          }
        }
      }
    }
  }
}
