// Sums of some values of a column. Eight sums run side by side, so that no addition waits for the one before.

#include "Sums.h"

#include <stdbool.h>
#include <string.h>

#include "PerProcessor.h"

typedef double numbers __attribute__((ext_vector_type(8)));
typedef int64_t words __attribute__((ext_vector_type(8)));

// The values of the mask from `i` on; 0.0 stands for those left out and for NaN.
static inline __attribute__((always_inline)) words kept(numbers *value, const double *values, const uint64_t *mask,
                                                        size_t i, size_t count) {
  const words lanes = {1, 2, 4, 8, 16, 32, 64, 128};
  if (i + 8 <= count) {
    memcpy(value, values + i, sizeof *value);
  } else {
    *value = 0;
    memcpy(value, values + i, (count - i) * sizeof(double));
  }
  int64_t bits = (int64_t)(mask[i >> 6] >> (i & 63));
  if (i + 8 > count) bits &= (1 << (count - i)) - 1;
  words keep = ((lanes & bits) != 0) & (*value == *value);
  *value = (numbers)((words)*value & keep);
  return keep;
}

// Each value is split: into a multiple of a high unit, so large that all 256 such parts add up without rounding, then
// into one of a low unit, 45 bits below, in the same way. What is left after that makes the result inexact.
PER_PROCESSOR
bool os_exact_sum_f64(const double *values, size_t count, const uint64_t *mask, double *high, double *low,
                      size_t *added) {
  numbers value;
  words most = 0, counts = 0;
  for (size_t i = 0; i < count; i += 8) {
    counts -= kept(&value, values, mask, i, count);
    words magnitude = (words)value & INT64_MAX;
    most = magnitude > most ? magnitude : most;
  }
  int64_t greatest = 0;
  size_t found = 0;
  for (size_t lane = 0; lane < 8; lane++) {
    greatest = most[lane] > greatest ? most[lane] : greatest;
    found += (size_t)counts[lane];
  }
  *added = found;
  *high = *low = 0;
  if (greatest == 0) return true;
  // Every value is less than 2^top, but for the bias of exponents; near the ends of their range there is no room.
  int64_t top = (greatest >> 52) + 1;
  if (top < 128 || top > 2000) return false;
  // Added to 1.5 times 2^(top + 8), a value is rounded to a multiple of 2^(top - 44).
  int64_t high_bits = (top + 8) << 52 | (int64_t)1 << 51, low_bits = (top + 8 - 45) << 52 | (int64_t)1 << 51;
  double high_rounder, low_rounder;
  memcpy(&high_rounder, &high_bits, sizeof high_bits);
  memcpy(&low_rounder, &low_bits, sizeof low_bits);
  numbers highs = 0, lows = 0;
  words inexact = 0;
  for (size_t i = 0; i < count; i += 8) {
    kept(&value, values, mask, i, count);
    numbers part = (value + high_rounder) - high_rounder;
    numbers rest = value - part;
    numbers low_part = (rest + low_rounder) - low_rounder;
    highs += part;
    lows += low_part;
    inexact |= rest != low_part;
  }
  int64_t any = 0;
  double h = 0, l = 0;
  for (size_t lane = 0; lane < 8; lane++) {
    any |= inexact[lane];
    h += highs[lane];
    l += lows[lane];
  }
  *high = h;
  *low = l;
  return any == 0;
}

PER_PROCESSOR
void os_sum_i64(const int64_t *values, size_t count, const uint64_t *mask, int64_t *high, int64_t *low) {
  const words lanes = {1, 2, 4, 8, 16, 32, 64, 128};
  words highs = 0, lows = 0;
  size_t whole = count & ~(size_t)7;
  for (size_t i = 0; i < whole; i += 8) {
    words value;
    memcpy(&value, values + i, sizeof value);
    int64_t bits = (int64_t)(mask[i >> 6] >> (i & 63));
    value &= (lanes & bits) != 0;
    highs += value >> 32;
    lows += value & 0xFFFFFFFF;
  }
  int64_t h = 0, l = 0;
  for (size_t lane = 0; lane < 8; lane++) {
    h += highs[lane];
    l += lows[lane];
  }
  for (size_t i = whole; i < count; i++) {
    if (!(mask[i >> 6] >> (i & 63) & 1)) continue;
    h += values[i] >> 32;
    l += values[i] & 0xFFFFFFFF;
  }
  *high = h;
  *low = l;
}
