// Substring search: sixteen places at a time are tried for the needle's first and last byte, and only where both fit
// is the rest compared.

#define _GNU_SOURCE
#include "TextSearch.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint8_t lowered(uint8_t byte) { return (uint8_t)(byte - 'A') < 26 ? byte | 0x20 : byte; }
static inline uint8_t raised(uint8_t byte) { return (uint8_t)(byte - 'a') < 26 ? byte & 0xDF : byte; }

static inline bool equal_ignoring_case(const uint8_t *text, const uint8_t *needle, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (lowered(text[i]) != needle[i]) return false;
  return true;
}

#if defined(__SSE2__)
#include <emmintrin.h>
typedef __m128i block;
static inline block load(const uint8_t *p) { return _mm_loadu_si128((const __m128i *)p); }
static inline block fill(uint8_t byte) { return _mm_set1_epi8((char)byte); }
static inline block same(block a, block b) { return _mm_cmpeq_epi8(a, b); }
static inline block either(block a, block b) { return _mm_or_si128(a, b); }
static inline uint64_t places(block a, block b) { return (uint64_t)_mm_movemask_epi8(_mm_and_si128(a, b)); }
enum { bits_per_place = 1 };
#elif defined(__ARM_NEON)
#include <arm_neon.h>
typedef uint8x16_t block;
static inline block load(const uint8_t *p) { return vld1q_u8(p); }
static inline block fill(uint8_t byte) { return vdupq_n_u8(byte); }
static inline block same(block a, block b) { return vceqq_u8(a, b); }
static inline block either(block a, block b) { return vorrq_u8(a, b); }
static inline uint64_t places(block a, block b) {
  // Four bits a place; only the lowest of each is kept.
  uint8x8_t narrow = vshrn_n_u16(vreinterpretq_u16_u8(vandq_u8(a, b)), 4);
  return vget_lane_u64(vreinterpret_u64_u8(narrow), 0) & 0x1111111111111111u;
}
enum { bits_per_place = 4 };
#else
#define WITHOUT_BLOCKS 1
#endif

ptrdiff_t text_find(const void *text, size_t count, const void *needle, size_t needle_count) {
  if (needle_count == 0) return 0;
  if (needle_count > count) return -1;
  const uint8_t *t = text, *n = needle;
  if (needle_count == 1) {
    const uint8_t *found = memchr(t, n[0], count);
    return found ? found - t : -1;
  }
  size_t i = 0, last = needle_count - 1, starts = count - last;
#ifndef WITHOUT_BLOCKS
  block first_byte = fill(n[0]), last_byte = fill(n[last]);
  for (; i + 16 <= starts; i += 16) {
    uint64_t fits = places(same(load(t + i), first_byte), same(load(t + i + last), last_byte));
    for (; fits; fits &= fits - 1) {
      size_t start = i + (size_t)__builtin_ctzll(fits) / bits_per_place;
      if (memcmp(t + start + 1, n + 1, last) == 0) return (ptrdiff_t)start;
    }
  }
#endif
  for (; i < starts; i++)
    if (t[i] == n[0] && memcmp(t + i, n, needle_count) == 0) return (ptrdiff_t)i;
  return -1;
}

ptrdiff_t text_find_ignoring_case(const void *text, size_t count, const void *needle, size_t needle_count) {
  if (needle_count == 0) return 0;
  if (needle_count > count) return -1;
  const uint8_t *t = text, *n = needle;
  size_t i = 0, last = needle_count - 1, starts = count - last;
#ifndef WITHOUT_BLOCKS
  block first_low = fill(n[0]), first_high = fill(raised(n[0]));
  block last_low = fill(n[last]), last_high = fill(raised(n[last]));
  for (; i + 16 <= starts; i += 16) {
    block firsts = load(t + i), lasts = load(t + i + last);
    uint64_t fits = places(either(same(firsts, first_low), same(firsts, first_high)),
                           either(same(lasts, last_low), same(lasts, last_high)));
    for (; fits; fits &= fits - 1) {
      size_t start = i + (size_t)__builtin_ctzll(fits) / bits_per_place;
      if (equal_ignoring_case(t + start, n, needle_count)) return (ptrdiff_t)start;
    }
  }
#endif
  for (; i < starts; i++)
    if (equal_ignoring_case(t + i, n, needle_count)) return (ptrdiff_t)i;
  return -1;
}
