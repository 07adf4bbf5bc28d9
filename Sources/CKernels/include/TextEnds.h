#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// Where a needle must be in a text.
typedef enum __attribute__((enum_extensibility(closed))) {
  text_whole __attribute__((swift_name("whole"))) = 0,
  text_start __attribute__((swift_name("start"))) = 1,
  text_end __attribute__((swift_name("end"))) = 2,
} text_place;

/// Sets bit i of the four words at `out` to whether text i of `count` (at most 256) joined ones has the needle at that
/// place. The text begins at `bytes[offsets[i]]`; one byte lies between it and the next. Where `ignoring_case`, the
/// needle is in lower case and texts are ASCII.
void text_fits(const uint8_t *bytes, const uint32_t *offsets, size_t count, const uint8_t *_Nullable needle,
               size_t needle_count, text_place place, bool ignoring_case, uint64_t *out);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
