#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// Comparisons of a column with a constant, as the kernels count them.
typedef enum __attribute__((enum_extensibility(closed))) {
  os_equal __attribute__((swift_name("equal"))) = 0,
  os_not_equal __attribute__((swift_name("notEqual"))) = 1,
  os_less __attribute__((swift_name("less"))) = 2,
  os_less_or_equal __attribute__((swift_name("lessOrEqual"))) = 3,
  os_greater __attribute__((swift_name("greater"))) = 4,
  os_greater_or_equal __attribute__((swift_name("greaterOrEqual"))) = 5,
} os_comparison;

/// Each compares `count` (at most 256) values with `constant` and sets bit i of the four words at `out` to the
/// outcome for value i; bits from `count` on are 0. Floating-point comparisons are IEEE's: with NaN only
/// `os_not_equal` holds.
void os_compare_u8(const uint8_t *values, size_t count, uint8_t constant, os_comparison op, uint64_t *out);
void os_compare_u16(const uint16_t *values, size_t count, uint16_t constant, os_comparison op, uint64_t *out);
void os_compare_u32(const uint32_t *values, size_t count, uint32_t constant, os_comparison op, uint64_t *out);
void os_compare_i64(const int64_t *values, size_t count, int64_t constant, os_comparison op, uint64_t *out);
void os_compare_f32(const float *values, size_t count, float constant, os_comparison op, uint64_t *out);
void os_compare_f64(const double *values, size_t count, double constant, os_comparison op, uint64_t *out);

/// Each sets bit i to whether value i lies within `lower` and `upper`, both included.
void os_between_u8(const uint8_t *values, size_t count, uint8_t lower, uint8_t upper, uint64_t *out);
void os_between_u16(const uint16_t *values, size_t count, uint16_t lower, uint16_t upper, uint64_t *out);
void os_between_u32(const uint32_t *values, size_t count, uint32_t lower, uint32_t upper, uint64_t *out);
void os_between_i64(const int64_t *values, size_t count, int64_t lower, int64_t upper, uint64_t *out);
void os_between_f32(const float *values, size_t count, float lower, float upper, uint64_t *out);
void os_between_f64(const double *values, size_t count, double lower, double upper, uint64_t *out);

/// Sets bit i to whether byte i of the 256-entry `table` at `codes[i]` is not 0.
void os_lookup_u8(const uint8_t *codes, size_t count, const uint8_t *table, uint64_t *out);

/// Sets bit i to whether the byte of `table` at `left[i] << shift | right[i]` is not 0.
void os_lookup_pairs(
    const uint8_t *left, const uint8_t *right, size_t count, uint32_t shift, const uint8_t *table, uint64_t *out);

/// Whether no byte is over 0x7F, but for 0xFF where `joined`.
bool os_is_ascii(const uint8_t *bytes, size_t count, bool joined);

/// Whether the bytes are UTF-8 texts, each followed by a 0xFF byte; counts those.
bool os_is_joined_utf8(const uint8_t *bytes, size_t count, size_t *texts);

/// Asks for the memory at an address that will be read soon. Any address will do.
static inline void os_prefetch(const void *address) { __builtin_prefetch(address); }

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
