#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// One end of a range of texts, which are in the order of their bytes.
typedef struct {
  const uint8_t *_Nullable bytes;
  size_t count;
  /// Whether there is such an end; else texts go on for ever.
  bool exists;
  /// Whether the text itself is in the range.
  bool is_included;
} text_bound;

/// Whether a text lies between two others.
bool text_is_between(const uint8_t *_Nullable text, size_t count, text_bound lower, text_bound upper);

/// Sets bit i of the four words at `out` to whether text i of `count` (at most 256) joined ones lies between two others. The
/// text begins at `bytes[offsets[i]]`; one byte lies between it and the next.
void texts_between(const uint8_t *bytes, const uint32_t *offsets, size_t count, text_bound lower, text_bound upper,
                   uint64_t *out);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
