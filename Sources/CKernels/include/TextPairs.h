#pragma once

#include <stddef.h>
#include <stdint.h>

/// Pairs of bytes, one to four bytes apart, to be sought all at once. A pair is given as a choice for the first byte
/// and a choice for the next, under one of eight numbers.
///
/// A choice is kept as the low and the high halves of its bytes, so some pairs that were not asked for are found, too.
typedef struct {
  uint8_t first_low[16], first_high[16];
  uint8_t next_low[4][16], next_high[4][16];
  /// Bit `d` - 1: some next byte is `d` bytes further.
  uint8_t distances;
} text_pairs;

/// Adds a byte to the first choice of pair `number`, which is below 8.
void text_pairs_add_first(text_pairs *_Nonnull pairs, uint8_t number, uint8_t byte);

/// Adds a byte to the next choice of pair `number`, `distance` bytes further: 1 to 4.
void text_pairs_add_next(text_pairs *_Nonnull pairs, uint8_t number, size_t distance, uint8_t byte);

/// Where the first byte of the first pair is; -1 when there is none.
ptrdiff_t text_pairs_find(const text_pairs *_Nonnull pairs, const void *_Nullable text, size_t count);
