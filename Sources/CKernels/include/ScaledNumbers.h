#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// Beyond this a decimal is not kept as a whole number: doubling and rounding stay exact below it.
#define OS_SCALED_LIMIT 0x1p51
/// The same for Floats.
#define OS_SCALED_FLOAT_LIMIT 0x1p24

/// Takes `count` values for whole numbers divided by `divisor`, a power of ten, and gives those with the least and the
/// greatest. False when some value is not bit for bit such a quotient: then what was given means nothing.
///
/// Where `of_floats`, the values are Floats made Doubles, and the quotients are rounded to Floats. As many values are
/// read and written as `count` rounded up to a multiple of eight.
bool os_scale(const double *values, size_t count, double divisor, bool of_floats, int64_t *numbers, int64_t *least,
              int64_t *greatest);

/// Each gives (`base` + offset) / `divisor` for `count` offsets.
void os_unscale_u8(const uint8_t *offsets, size_t count, int64_t base, double divisor, double *out);
void os_unscale_u16(const uint16_t *offsets, size_t count, int64_t base, double divisor, double *out);
void os_unscale_u32(const uint32_t *offsets, size_t count, int64_t base, double divisor, double *out);

/// Sets bit i to whether offset i, `high[i]` × 256 + `low[i]`, lies within two bounds below 2⁴⁰, both included.
void os_between_u40(
    const uint32_t *high, const uint8_t *low, size_t count, uint64_t lower, uint64_t upper, uint64_t *out);

/// Each adds those of `count` (at most 256) offsets whose bit is set in the four words of `mask`.
uint64_t os_sum_u8(const uint8_t *offsets, size_t count, const uint64_t *mask);
uint64_t os_sum_u16(const uint16_t *offsets, size_t count, const uint64_t *mask);
uint64_t os_sum_u32(const uint32_t *offsets, size_t count, const uint64_t *mask);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
