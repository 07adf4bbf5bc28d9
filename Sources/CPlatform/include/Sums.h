#pragma once

#include <stddef.h>
#include <stdint.h>

/// Adds those of `count` (at most 256) values whose bit is set in the four words of `mask` and which are not NaN, and
/// gives how many were added.
double os_sum_f64(const double *_Nonnull values, size_t count, const uint64_t *_Nonnull mask, size_t *_Nonnull added);

/// Adds those of `count` (at most 256) values whose bit is set in the four words of `mask`: the sum is `high` × 2³² +
/// `low`, which never overflows.
void os_sum_i64(const int64_t *_Nonnull values, size_t count, const uint64_t *_Nonnull mask, int64_t *_Nonnull high,
                int64_t *_Nonnull low);
