// Texts between two others: the first eight bytes of each are compared as a word, and only where those are the same the rest.

#include "TextRanges.h"

#include <string.h>

/// The first eight bytes with the first as the most significant; what a text lacks is 0.
static inline uint64_t beginning(const uint8_t *text, size_t count) {
  uint64_t word = 0;
  for (size_t i = 0; i < 8 && i < count; i++) word |= (uint64_t)text[i] << (56 - 8 * i);
  return word;
}

/// The same of a text behind which there is as much to read.
static inline uint64_t beginning_at(const uint8_t *text, size_t count) {
  uint64_t word;
  memcpy(&word, text, 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return count >= 8 ? word : count == 0 ? 0 : word & ~0ull << (64 - 8 * count);
}

static int order(const uint8_t *text, size_t count, text_bound bound) {
  size_t common = count < bound.count ? count : bound.count;
  int order = common == 0 ? 0 : memcmp(text, bound.bytes, common);
  return order != 0 ? order : (count > bound.count) - (count < bound.count);
}

static inline bool is_between(const uint8_t *text, size_t count, uint64_t word, text_bound lower, uint64_t least,
                              text_bound upper, uint64_t greatest) {
  if (lower.exists && word <= least) {
    if (word < least) return false;
    int from = order(text, count, lower);
    if (from < 0 || (from == 0 && !lower.is_included)) return false;
  }
  if (upper.exists && word >= greatest) {
    if (word > greatest) return false;
    int from = order(text, count, upper);
    if (from > 0 || (from == 0 && !upper.is_included)) return false;
  }
  return true;
}

bool text_is_between(const uint8_t *text, size_t count, text_bound lower, text_bound upper) {
  return is_between(text, count, beginning(text, count), lower, beginning(lower.bytes, lower.count), upper,
                    beginning(upper.bytes, upper.count));
}

void texts_between(const uint8_t *bytes, const uint32_t *offsets, size_t count, text_bound lower, text_bound upper,
                   uint64_t *out) {
  uint64_t least = beginning(lower.bytes, lower.count), greatest = beginning(upper.bytes, upper.count);
  if (count > 256) count = 256;
  out[0] = out[1] = out[2] = out[3] = 0;
  size_t total = offsets[count];
  for (size_t i = 0; i < count; i++) {
    size_t first = offsets[i], length = offsets[i + 1] - 1 - first;
    const uint8_t *text = bytes + first;
    uint64_t word = first + 8 <= total ? beginning_at(text, length) : beginning(text, length);
    out[i >> 6] |= (uint64_t)is_between(text, length, word, lower, least, upper, greatest) << (i & 63);
  }
}
