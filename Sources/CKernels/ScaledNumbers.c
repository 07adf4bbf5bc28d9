// Decimals kept as whole numbers: eight at a time are multiplied, rounded, divided again and compared with what they
// were.

#include "ScaledNumbers.h"

#include <string.h>

#include "ClusterKernels.h"
#include "PerProcessor.h"

typedef double numbers __attribute__((ext_vector_type(8)));
typedef float floats __attribute__((ext_vector_type(8)));
typedef int64_t words __attribute__((ext_vector_type(8)));

PER_PROCESSOR
bool os_scale(const double *values, size_t count, double divisor, bool of_floats, int64_t *out, int64_t *least,
              int64_t *greatest) {
  // A number added to this is rounded to a whole one, which is then in the lowest bits of the sum.
  const double rounder = 0x1.8p52;
  const double limit = of_floats ? OS_SCALED_FLOAT_LIMIT : OS_SCALED_LIMIT;
  int64_t rounder_bits;
  memcpy(&rounder_bits, &rounder, sizeof rounder_bits);
  numbers low = limit, high = -limit;
  words wrong = 0;
  for (size_t i = 0; i < count; i += 8) {
    numbers value;
    memcpy(&value, values + i, sizeof value);
    numbers scaled = value * divisor;
    numbers sum = scaled + rounder;
    numbers whole = sum - rounder;
    numbers back = whole / divisor;
    if (of_floats) back = __builtin_convertvector(__builtin_convertvector(back, floats), numbers);
    // NaN is not within the limits; -0.0 comes back as 0.0.
    wrong |= ((words)back != (words)value) | ~((scaled < limit) & (scaled > -limit));
    words number = (words)sum - rounder_bits;
    memcpy(out + i, &number, sizeof number);
    low = whole < low ? whole : low;
    high = whole > high ? whole : high;
  }
  int64_t any = 0;
  double lowest = low[0], highest = high[0];
  for (size_t lane = 0; lane < 8; lane++) {
    any |= wrong[lane];
    lowest = low[lane] < lowest ? low[lane] : lowest;
    highest = high[lane] > highest ? high[lane] : highest;
  }
  if (any != 0) return false;
  *least = (int64_t)lowest;
  *greatest = (int64_t)highest;
  return true;
}

// Base and offset are whole and small enough for their sum to be exact.
#define UNSCALE(suffix, type)                                                                                     \
  PER_PROCESSOR void os_unscale_##suffix(                                                                         \
      const type *offsets, size_t count, int64_t base, double divisor, double *out) {                             \
    double start = (double)base;                                                                                  \
    for (size_t i = 0; i < count; i++) out[i] = ((double)offsets[i] + start) / divisor;                           \
  }

UNSCALE(u8, uint8_t)
UNSCALE(u16, uint16_t)
UNSCALE(u32, uint32_t)

void os_between_u40(
    const uint32_t *high, const uint8_t *low, size_t count, uint64_t lower, uint64_t upper, uint64_t *out) {
  if (lower > upper) {
    memset(out, 0, 32);
    return;
  }
  uint32_t first = (uint32_t)(lower >> 8), last = (uint32_t)(upper >> 8);
  os_between_u32(high, count, first, last, out);
  // Only at the bounds the low parts matter; few are there. They are sought among what was found, or, where that is
  // much, among all.
  uint64_t edges[4] = {out[0], out[1], out[2], out[3]};
  int found = 0;
  for (size_t word = 0; word < 4; word++) found += __builtin_popcountll(out[word]);
  if (found > 12) {
    uint64_t more[4];
    os_compare_u32(high, count, first, os_equal, edges);
    os_compare_u32(high, count, last, os_equal, more);
    for (size_t word = 0; word < 4; word++) edges[word] |= more[word];
  }
  for (size_t word = 0; word < 4; word++) {
    for (uint64_t left = edges[word]; left; left &= left - 1) {
      size_t i = word * 64 + (size_t)__builtin_ctzll(left);
      if (high[i] != first && high[i] != last) continue;
      uint64_t number = (uint64_t)high[i] << 8 | low[i];
      if (number < lower || number > upper) out[word] &= ~(left & -left);
    }
  }
}

// Bytes of the mask become lanes that count or do not.
#define SUM(suffix, type, wide, lanes)                                                                            \
  PER_PROCESSOR uint64_t os_sum_##suffix(const type *offsets, size_t count, const uint64_t *mask) {               \
    typedef type narrow __attribute__((ext_vector_type(lanes)));                                                  \
    typedef wide sums __attribute__((ext_vector_type(lanes)));                                                    \
    typedef bool bits __attribute__((ext_vector_type(lanes)));                                                    \
    if (count > 256) count = 256;                                                                                 \
    const uint8_t *counted = (const uint8_t *)mask;                                                               \
    size_t i = 0;                                                                                                 \
    sums sum = 0;                                                                                                 \
    for (; i + lanes <= count; i += lanes) {                                                                      \
      narrow value;                                                                                               \
      bits counts;                                                                                                \
      memcpy(&value, offsets + i, sizeof value);                                                                  \
      memcpy(&counts, counted + i / 8, lanes / 8);                                                                \
      sum += __builtin_convertvector(value, sums) & -__builtin_convertvector(counts, sums);                       \
    }                                                                                                             \
    uint64_t total = 0;                                                                                           \
    for (size_t lane = 0; lane < lanes; lane++) total += sum[lane];                                               \
    for (; i < count; i++) total += (mask[i >> 6] >> (i & 63) & 1) ? offsets[i] : 0;                              \
    return total;                                                                                                 \
  }

// Each lane adds sixteen numbers at most.
SUM(u8, uint8_t, uint32_t, 16)
SUM(u16, uint16_t, uint32_t, 16)
SUM(u32, uint32_t, uint64_t, 8)
