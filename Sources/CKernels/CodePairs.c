// Answers for pairs of codes: a row of the answers is looked up by the left code, the bit in it by the right one, for
// sixteen pairs at a time where the processor can look up sixteen bytes at once.

#include "CodePairs.h"

#include <stdbool.h>
#include <string.h>

void code_pairs_add(code_pairs *pairs, uint8_t left, uint8_t right) {
  uint8_t *row = right & 8 ? pairs->high : pairs->low;
  row[left & 15] |= (uint8_t)(1u << (right & 7));
}

// At most sixteen pairs.
static uint16_t look_up_one_by_one(const code_pairs *pairs, const uint8_t *left, const uint8_t *right, size_t count) {
  unsigned found = 0;
  for (size_t i = 0; i < count; i++) {
    const uint8_t *row = right[i] & 8 ? pairs->high : pairs->low;
    found |= (row[left[i] & 15] >> (right[i] & 7) & 1u) << i;
  }
  return (uint16_t)found;
}

#if defined(__x86_64__)
#include <tmmintrin.h>
#define WITH_BLOCKS __attribute__((target("ssse3")))
static inline bool has_blocks(void) { return __builtin_cpu_supports("ssse3"); }

WITH_BLOCKS static inline __m128i load(const uint8_t *p) { return _mm_loadu_si128((const __m128i *)p); }

WITH_BLOCKS static void look_up_blocks(
    const code_pairs *pairs, const uint8_t *left, const uint8_t *right, size_t blocks, uint16_t *out) {
  __m128i low = load(pairs->low), high = load(pairs->high), nibble = _mm_set1_epi8(15);
  __m128i low_bits = _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, (char)128, 0, 0, 0, 0, 0, 0, 0, 0);
  __m128i high_bits = _mm_slli_si128(low_bits, 8);
  for (size_t k = 0; k < blocks; k++) {
    __m128i l = _mm_and_si128(load(left + 16 * k), nibble), r = _mm_and_si128(load(right + 16 * k), nibble);
    __m128i lows = _mm_and_si128(_mm_shuffle_epi8(low, l), _mm_shuffle_epi8(low_bits, r));
    __m128i highs = _mm_and_si128(_mm_shuffle_epi8(high, l), _mm_shuffle_epi8(high_bits, r));
    __m128i misses = _mm_cmpeq_epi8(_mm_or_si128(lows, highs), _mm_setzero_si128());
    out[k] = (uint16_t)~_mm_movemask_epi8(misses);
  }
}
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
static inline bool has_blocks(void) { return true; }

static void look_up_blocks(
    const code_pairs *pairs, const uint8_t *left, const uint8_t *right, size_t blocks, uint16_t *out) {
  static const uint8_t bits[24] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0};
  uint8x16_t low = vld1q_u8(pairs->low), high = vld1q_u8(pairs->high), nibble = vdupq_n_u8(15);
  uint8x16_t low_bits = vld1q_u8(bits + 8), high_bits = vld1q_u8(bits);
  uint8x16_t positions = vcombine_u8(vld1_u8(bits + 8), vld1_u8(bits + 8));
  for (size_t k = 0; k < blocks; k++) {
    uint8x16_t l = vandq_u8(vld1q_u8(left + 16 * k), nibble), r = vandq_u8(vld1q_u8(right + 16 * k), nibble);
    uint8x16_t lows = vandq_u8(vqtbl1q_u8(low, l), vqtbl1q_u8(low_bits, r));
    uint8x16_t highs = vandq_u8(vqtbl1q_u8(high, l), vqtbl1q_u8(high_bits, r));
    uint8x16_t all = vorrq_u8(lows, highs);
    uint8x16_t hits = vandq_u8(vtstq_u8(all, all), positions);
    out[k] = (uint16_t)(vaddv_u8(vget_low_u8(hits)) | vaddv_u8(vget_high_u8(hits)) << 8);
  }
}
#else
#define WITHOUT_BLOCKS 1
#endif

void code_pairs_look_up(
    const code_pairs *pairs, const uint8_t *left, const uint8_t *right, size_t count, uint64_t *out) {
  if (count > 256) count = 256;
  size_t done = 0;
  uint16_t found[16] = {0};
#ifndef WITHOUT_BLOCKS
  if (has_blocks()) {
    look_up_blocks(pairs, left, right, count / 16, found);
    done = count / 16 * 16;
  }
#endif
  for (size_t next; done < count; done = next) {
    next = done + 16 < count ? done + 16 : count;
    found[done / 16] = look_up_one_by_one(pairs, left + done, right + done, next - done);
  }
  memcpy(out, found, sizeof found);
}
