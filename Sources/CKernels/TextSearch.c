// Substring search: sixteen places at a time, or sixty-four, are tried for the two bytes of the needle that texts have
// least often, and only where both fit is the rest compared.

#define _GNU_SOURCE
#include "PerProcessor.h"
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

#if defined(__x86_64__)
// 64 bytes at a time, in one register or in several, as the processor has them.
typedef uint8_t wide __attribute__((vector_size(64)));
typedef bool wide_places __attribute__((ext_vector_type(64)));

// Through a pointer, for how wide vectors are handed over depends on the processor.
static inline __attribute__((always_inline)) uint64_t wide_same(const uint8_t *p, uint8_t byte) {
  wide bytes;
  memcpy(&bytes, p, sizeof bytes);
  wide_places same = __builtin_convertvector(bytes == byte, wide_places);
  uint64_t places;
  memcpy(&places, &same, sizeof places);
  return places;
}
#endif

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

// Whether a byte is one of a character's in UTF-8 that is not its first.
static bool is_continuation(uint8_t byte) { return (byte & 0xC0) == 0x80; }

// How often texts have a byte, roughly: of most there is little to say. The first bytes of letters that have several are
// few in a text, the rest of the letter is varied.
static const uint8_t commonness[256] = {
    [0 ... ' ' - 1] = 3, [' '] = 32, ['!' ... '+'] = 3, [','] = 12, ['-'] = 3, ['.'] = 12, ['/'] = 3,
    ['0' ... '9'] = 12, [':' ... '`'] = 3,
    ['a'] = 28, 8, 12, 14, 30, 9, 10, 16, 26, 2, 6, 18, 12, 26, 26, 10, 1, 24, 22, 25, 14, 6, 8, 2, 10, 2,
    ['{' ... 0x7F] = 3, [0x80 ... 0xC1] = 4, [0xC2 ... 0xFF] = 20};

// The places of the two rarest bytes of a needle of at least one byte, of different characters where it has two: the
// bytes of one character come together, and the second would rule out little. They are the same place in one byte.
static void choose(const uint8_t *needle, size_t count, size_t *first, size_t *second) {
  // What the rest of a long needle is does not matter.
  size_t looked_at = count < 64 ? count : 64;
  size_t best = 0;
  for (size_t i = 1; i < looked_at; i++)
    if (commonness[needle[i]] < commonness[needle[best]]) best = i;
  size_t start = best, end = best + 1;
  while (start > 0 && is_continuation(needle[start])) start--;
  while (end < looked_at && is_continuation(needle[end])) end++;
  size_t next = best;
  unsigned least = UINT32_MAX;
  for (size_t i = 0; i < looked_at; i++) {
    if (i == best) continue;
    bool same_character = i >= start && i < end;
    unsigned common = commonness[needle[i]] + (same_character ? 64 : 0);
    if (common < least) next = i, least = common;
  }
  *first = best;
  *second = next;
}

PER_PROCESSOR
ptrdiff_t text_find(const void *text, size_t count, const void *needle, size_t needle_count) {
  if (needle_count == 0) return 0;
  if (needle_count > count) return -1;
  const uint8_t *t = text, *n = needle;
  if (needle_count == 1) {
    const uint8_t *found = memchr(t, n[0], count);
    return found ? found - t : -1;
  }
  size_t i = 0, starts = count - needle_count + 1;
#ifndef WITHOUT_BLOCKS
  size_t first, second;
  choose(n, needle_count, &first, &second);
#if defined(__x86_64__)
  for (; i + 64 <= starts; i += 64) {
    uint64_t fits = wide_same(t + i + first, n[first]) & wide_same(t + i + second, n[second]);
    for (; fits; fits &= fits - 1) {
      size_t start = i + (size_t)__builtin_ctzll(fits);
      if (memcmp(t + start, n, needle_count) == 0) return (ptrdiff_t)start;
    }
  }
#endif
  block first_byte = fill(n[first]), second_byte = fill(n[second]);
  for (; i + 16 <= starts; i += 16) {
    uint64_t fits = places(same(load(t + i + first), first_byte), same(load(t + i + second), second_byte));
    for (; fits; fits &= fits - 1) {
      size_t start = i + (size_t)__builtin_ctzll(fits) / bits_per_place;
      if (memcmp(t + start, n, needle_count) == 0) return (ptrdiff_t)start;
    }
  }
#endif
  for (; i < starts; i++)
    if (t[i] == n[0] && memcmp(t + i, n, needle_count) == 0) return (ptrdiff_t)i;
  return -1;
}

PER_PROCESSOR
ptrdiff_t text_find_ignoring_case(const void *text, size_t count, const void *needle, size_t needle_count) {
  if (needle_count == 0) return 0;
  if (needle_count > count) return -1;
  const uint8_t *t = text, *n = needle;
  size_t i = 0, starts = count - needle_count + 1;
#ifndef WITHOUT_BLOCKS
  size_t first, second;
  choose(n, needle_count, &first, &second);
#if defined(__x86_64__)
  uint8_t first_raised = raised(n[first]), second_raised = raised(n[second]);
  for (; i + 64 <= starts; i += 64) {
    const uint8_t *firsts = t + i + first, *seconds = t + i + second;
    uint64_t fits = (wide_same(firsts, n[first]) | wide_same(firsts, first_raised)) &
                    (wide_same(seconds, n[second]) | wide_same(seconds, second_raised));
    for (; fits; fits &= fits - 1) {
      size_t start = i + (size_t)__builtin_ctzll(fits);
      if (equal_ignoring_case(t + start, n, needle_count)) return (ptrdiff_t)start;
    }
  }
#endif
  block first_low = fill(n[first]), first_high = fill(raised(n[first]));
  block second_low = fill(n[second]), second_high = fill(raised(n[second]));
  for (; i + 16 <= starts; i += 16) {
    block firsts = load(t + i + first), seconds = load(t + i + second);
    uint64_t fits = places(either(same(firsts, first_low), same(firsts, first_high)),
                           either(same(seconds, second_low), same(seconds, second_high)));
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
