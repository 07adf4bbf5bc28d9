#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// Each finds the least and the greatest of those of `count` (at most 256) values whose bit is set in the four words of
/// `mask` and which are not NaN. False, and nothing is written, when there is none.
bool os_extremes_f64(const double *values, size_t count, const uint64_t *mask, double *least, double *greatest);
bool os_extremes_i64(const int64_t *values, size_t count, const uint64_t *mask, int64_t *least, int64_t *greatest);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
