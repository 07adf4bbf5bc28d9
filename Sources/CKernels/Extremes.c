// Least and greatest of some values of a column, eight side by side.

#include "Extremes.h"

#include <math.h>
#include <string.h>

#include "PerProcessor.h"

typedef double numbers __attribute__((vector_size(64)));
typedef int64_t words __attribute__((vector_size(64)));

// All ones where the bit of the value is set.
#define KEPT(i) ((lanes & (int64_t)(mask[(i) >> 6] >> ((i) & 63))) != 0)

// `a` where `test` is all ones, else `b`.
#define CHOICE(test, a, b) (((words)(a) & (test)) | ((words)(b) & ~(test)))

PER_PROCESSOR
bool os_extremes_f64(const double *values, size_t count, const uint64_t *mask, double *least, double *greatest) {
  const words lanes = {1, 2, 4, 8, 16, 32, 64, 128};
  const double none = INFINITY;
  numbers low = {none, none, none, none, none, none, none, none}, high = -low;
  words any = {0};
  size_t whole = count & ~(size_t)7;
  for (size_t i = 0; i < whole; i += 8) {
    numbers value;
    memcpy(&value, values + i, sizeof value);
    words keep = KEPT(i) & (value == value);
    any |= keep;
    low = (numbers)CHOICE(keep & (value < low), value, low);
    high = (numbers)CHOICE(keep & (value > high), value, high);
  }
  double l = none, h = -none;
  bool found = false;
  for (size_t lane = 0; lane < 8; lane++) {
    if (!any[lane]) continue;
    found = true;
    if (low[lane] < l) l = low[lane];
    if (high[lane] > h) h = high[lane];
  }
  for (size_t i = whole; i < count; i++) {
    if (!(mask[i >> 6] >> (i & 63) & 1) || values[i] != values[i]) continue;
    found = true;
    if (values[i] < l) l = values[i];
    if (values[i] > h) h = values[i];
  }
  if (!found) return false;
  *least = l;
  *greatest = h;
  return true;
}

PER_PROCESSOR
bool os_extremes_i64(const int64_t *values, size_t count, const uint64_t *mask, int64_t *least, int64_t *greatest) {
  const words lanes = {1, 2, 4, 8, 16, 32, 64, 128};
  const int64_t none = INT64_MAX;
  words low = {none, none, none, none, none, none, none, none}, high = ~low;
  words any = {0};
  size_t whole = count & ~(size_t)7;
  for (size_t i = 0; i < whole; i += 8) {
    words value;
    memcpy(&value, values + i, sizeof value);
    words keep = KEPT(i);
    any |= keep;
    low = CHOICE(keep & (value < low), value, low);
    high = CHOICE(keep & (value > high), value, high);
  }
  int64_t l = INT64_MAX, h = INT64_MIN;
  bool found = false;
  for (size_t lane = 0; lane < 8; lane++) {
    if (!any[lane]) continue;
    found = true;
    if (low[lane] < l) l = low[lane];
    if (high[lane] > h) h = high[lane];
  }
  for (size_t i = whole; i < count; i++) {
    if (!(mask[i >> 6] >> (i & 63) & 1)) continue;
    found = true;
    if (values[i] < l) l = values[i];
    if (values[i] > h) h = values[i];
  }
  if (!found) return false;
  *least = l;
  *greatest = h;
  return true;
}
