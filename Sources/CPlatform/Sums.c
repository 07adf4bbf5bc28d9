// Sums of some values of a column. Eight sums run side by side, so that no addition waits for the one before.

#include "Sums.h"

#include <string.h>

#include "PerProcessor.h"

typedef double numbers __attribute__((vector_size(64)));
typedef int64_t words __attribute__((vector_size(64)));

PER_PROCESSOR
double os_sum_f64(const double *values, size_t count, const uint64_t *mask, size_t *added) {
  const words lanes = {1, 2, 4, 8, 16, 32, 64, 128};
  numbers sums = {0};
  words counts = {0};
  size_t whole = count & ~(size_t)7;
  for (size_t i = 0; i < whole; i += 8) {
    numbers value;
    memcpy(&value, values + i, sizeof value);
    // All ones where the value counts: its bits are kept, those of others become 0.0.
    int64_t bits = (int64_t)(mask[i >> 6] >> (i & 63));
    words keep = ((lanes & bits) != 0) & (value == value);
    words kept = (words)value & keep;
    sums += (numbers)kept;
    counts -= keep;
  }
  double sum = 0;
  size_t found = 0;
  for (size_t lane = 0; lane < 8; lane++) {
    sum += sums[lane];
    found += (size_t)counts[lane];
  }
  for (size_t i = whole; i < count; i++) {
    if ((mask[i >> 6] >> (i & 63) & 1) && values[i] == values[i]) {
      sum += values[i];
      found++;
    }
  }
  *added = found;
  return sum;
}

PER_PROCESSOR
void os_sum_i64(const int64_t *values, size_t count, const uint64_t *mask, int64_t *high, int64_t *low) {
  const words lanes = {1, 2, 4, 8, 16, 32, 64, 128};
  words highs = {0}, lows = {0};
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
