#pragma once

#include <stddef.h>
#include <stdint.h>

/// Answers for pairs of codes under 16: bit `r` of `low[l]` is that for `l` on the left and `r` on the right, and bit `r`
/// of `high[l]` that for `r + 8`.
typedef struct {
  uint8_t low[16];
  uint8_t high[16];
} code_pairs;

/// Adds a pair of codes under 16 for which the answer is yes.
void code_pairs_add(code_pairs *_Nonnull pairs, uint8_t left, uint8_t right);

/// Sets bit i, of at most 256, to the answer for `left[i]` and `right[i]`, of which only the four lowest bits count.
void code_pairs_look_up(
    const code_pairs *_Nonnull pairs, const uint8_t *_Nonnull left, const uint8_t *_Nonnull right, size_t count,
    uint64_t *_Nonnull out);
