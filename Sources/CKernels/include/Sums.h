#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Adds those of `count` (at most 256) values whose bit is set in the four words of `mask` and which are not NaN, without
/// rounding: the sum is exactly `high` + `low`. Gives how many were added.
///
/// False where two Doubles do not hold it: values are too far apart, too large or too small, or infinite.
bool os_exact_sum_f64(const double *_Nonnull values, size_t count, const uint64_t *_Nonnull mask,
                      double *_Nonnull high, double *_Nonnull low, size_t *_Nonnull added);

/// Adds those of `count` (at most 256) values whose bit is set in the four words of `mask`: the sum is `high` × 2³² +
/// `low`, which never overflows.
void os_sum_i64(const int64_t *_Nonnull values, size_t count, const uint64_t *_Nonnull mask, int64_t *_Nonnull high,
                int64_t *_Nonnull low);
