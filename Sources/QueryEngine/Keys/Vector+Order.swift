internal import CKernels
internal import Storage

extension Vector {
  /// The slots whose value comes before a given one in the order of SORT; with `orEqual` also those with the same
  /// value.
  func before(_ rank: UInt8, _ word: UInt64, _ ascending: Bool, orEqual: Bool) -> Mask {
    switch rank {
    case SortableKey.Rank.null:
      if ascending { return orEqual ? nulls : .none }
      return orEqual ? .all : ~nulls
    case SortableKey.Rank.nan:
      if ascending { return orEqual ? nulls | nans : nulls }
      return orEqual ? ~nulls : (~nulls).andNot(nans)
    default:
      let comparison: os_comparison =
        ascending ? (orEqual ? .lessOrEqual : .less) : (orEqual ? .greaterOrEqual : .greater)
      let numbers = Mask.filled { out in
        if isInteger {
          os_compare_i64(integers, Mask.slotCount, SortableKey.integer(word), comparison, out)
        } else {
          os_compare_f64(doubles, Mask.slotCount, SortableKey.double(word), comparison, out)
        }
      }.andNot(nulls)
      return ascending ? numbers | nulls | nans : numbers
    }
  }

  /// The slots with NaN.
  var nans: Mask {
    if isInteger { return .none }
    let numbers = Mask.filled { os_compare_f64(doubles, Mask.slotCount, .infinity, .lessOrEqual, $0) }
    return ~(numbers | nulls)
  }

  /// The slots with a given value in the order of SORT.
  func equal(_ rank: UInt8, _ word: UInt64) -> Mask {
    switch rank {
    case SortableKey.Rank.null: return nulls
    case SortableKey.Rank.nan: return nans
    default:
      return Mask.filled { out in
        if isInteger {
          os_compare_i64(integers, Mask.slotCount, SortableKey.integer(word), .equal, out)
        } else {
          os_compare_f64(doubles, Mask.slotCount, SortableKey.double(word), .equal, out)
        }
      }.andNot(nulls)
    }
  }
}
