// Search for pairs of bytes: the halves of each byte are looked up in two tables, whose bits say which pairs it may
// belong to. Sixteen places at a time where the processor can look up sixteen bytes at once.

#include "TextPairs.h"

#include <stdbool.h>

void text_pairs_add_first(text_pairs *pairs, uint8_t number, uint8_t byte) {
  uint8_t bit = (uint8_t)(1u << (number & 7));
  pairs->first_low[byte & 15] |= bit;
  pairs->first_high[byte >> 4] |= bit;
}

void text_pairs_add_next(text_pairs *pairs, uint8_t number, size_t distance, uint8_t byte) {
  uint8_t bit = (uint8_t)(1u << (number & 7));
  size_t place = (distance - 1) & 3;
  pairs->next_low[place][byte & 15] |= bit;
  pairs->next_high[place][byte >> 4] |= bit;
  pairs->distances |= (uint8_t)(1u << place);
}

static inline uint8_t looked_up(const uint8_t low[16], const uint8_t high[16], uint8_t byte) {
  return low[byte & 15] & high[byte >> 4];
}

static ptrdiff_t find_one_by_one(const text_pairs *pairs, const uint8_t *text, size_t count, size_t start) {
  for (size_t i = start; i < count; i++) {
    uint8_t fits = looked_up(pairs->first_low, pairs->first_high, text[i]);
    if (!fits) continue;
    for (size_t d = 1; d <= 4 && i + d < count; d++)
      if (fits & looked_up(pairs->next_low[d - 1], pairs->next_high[d - 1], text[i + d])) return (ptrdiff_t)i;
  }
  return -1;
}

#if defined(__x86_64__)
#include <tmmintrin.h>
#define WITH_BLOCKS __attribute__((target("ssse3")))
typedef __m128i block;
WITH_BLOCKS static inline block load(const uint8_t *p) { return _mm_loadu_si128((const __m128i *)p); }
WITH_BLOCKS static inline block both(block a, block b) { return _mm_and_si128(a, b); }
WITH_BLOCKS static inline block either(block a, block b) { return _mm_or_si128(a, b); }
WITH_BLOCKS static inline block classes(block low, block high, block bytes) {
  block halves = _mm_set1_epi8(15);
  return both(_mm_shuffle_epi8(low, both(bytes, halves)),
              _mm_shuffle_epi8(high, both(_mm_srli_epi16(bytes, 4), halves)));
}
WITH_BLOCKS static inline uint64_t places(block bytes) {
  return (uint64_t)(uint16_t)~_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_setzero_si128()));
}
enum { bits_per_place = 1 };
static inline bool has_blocks(void) { return __builtin_cpu_supports("ssse3"); }
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#define WITH_BLOCKS
typedef uint8x16_t block;
static inline block load(const uint8_t *p) { return vld1q_u8(p); }
static inline block both(block a, block b) { return vandq_u8(a, b); }
static inline block either(block a, block b) { return vorrq_u8(a, b); }
static inline block classes(block low, block high, block bytes) {
  return both(vqtbl1q_u8(low, both(bytes, vdupq_n_u8(15))), vqtbl1q_u8(high, vshrq_n_u8(bytes, 4)));
}
static inline uint64_t places(block bytes) {
  // Four bits a place.
  uint8x8_t narrow = vshrn_n_u16(vreinterpretq_u16_u8(vtstq_u8(bytes, bytes)), 4);
  return vget_lane_u64(vreinterpret_u64_u8(narrow), 0);
}
enum { bits_per_place = 4 };
static inline bool has_blocks(void) { return true; }
#else
#define WITHOUT_BLOCKS 1
#endif

#ifndef WITHOUT_BLOCKS
WITH_BLOCKS static ptrdiff_t find_in_blocks(const text_pairs *pairs, const uint8_t *text, size_t count) {
  block first_low = load(pairs->first_low), first_high = load(pairs->first_high);
  const uint8_t zeros[16] = {0};
  block none = load(zeros);
  size_t i = 0;
  // The last of them reads four bytes beyond its sixteen.
  for (; i + 20 <= count; i += 16) {
    block nexts = none;
    for (size_t d = 1; d <= 4; d++)
      if (pairs->distances & (1u << (d - 1)))
        nexts = either(nexts, classes(load(pairs->next_low[d - 1]), load(pairs->next_high[d - 1]), load(text + i + d)));
    uint64_t fits = places(both(classes(first_low, first_high, load(text + i)), nexts));
    if (fits) return (ptrdiff_t)(i + (size_t)__builtin_ctzll(fits) / bits_per_place);
  }
  return find_one_by_one(pairs, text, count, i);
}
#endif

ptrdiff_t text_pairs_find(const text_pairs *pairs, const void *text, size_t count) {
#ifndef WITHOUT_BLOCKS
  if (has_blocks()) return find_in_blocks(pairs, text, count);
#endif
  return find_one_by_one(pairs, text, count, 0);
}
