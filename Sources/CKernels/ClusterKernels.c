#include "ClusterKernels.h"

#include <string.h>

#include "PerProcessor.h"

// A vector of 64 bytes is compared at once; the outcome narrows to a vector of bits, one for each value. The compiler
// splits it into what the processor has. Bits are written as they come, so their words are little-endian.
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "clusters are little-endian"
#endif

// Runs `test` over `values`, seen as vectors `v`; the last values are copied, since there may be nothing after them.
#define LOOP(type, test)                                                            \
  do {                                                                              \
    enum { lanes = 64 / sizeof(type) };                                             \
    typedef type vector __attribute__((ext_vector_type(lanes)));                    \
    typedef bool bits __attribute__((ext_vector_type(lanes)));                      \
    uint8_t *place = (uint8_t *)out;                                                \
    size_t k = 0;                                                                   \
    vector v;                                                                       \
    if (count > 256) count = 256;                                                   \
    if (count < 256) memset(out, 0, 32);                                            \
    for (; k + lanes <= count; k += lanes, place += lanes / 8) {                    \
      memcpy(&v, values + k, sizeof v);                                             \
      bits outcome = __builtin_convertvector(test, bits);                           \
      memcpy(place, &outcome, lanes / 8);                                           \
    }                                                                               \
    if (k < count) {                                                                \
      memset(&v, 0, sizeof v);                                                      \
      memcpy(&v, values + k, (count - k) * sizeof(type));                           \
      bits outcome = __builtin_convertvector(test, bits);                           \
      uint64_t word = 0;                                                            \
      memcpy(&word, &outcome, lanes / 8);                                           \
      word &= (UINT64_C(1) << (count - k)) - 1;                                     \
      memcpy(place, &word, lanes / 8);                                              \
    }                                                                               \
  } while (0)

#define COMPARISONS(suffix, type)                                                                               \
  PER_PROCESSOR void os_compare_##suffix(                                                                       \
      const type *values, size_t count, type constant, os_comparison op, uint64_t *out) {                       \
    switch (op) {                                                                                               \
    case os_equal: LOOP(type, v == constant); break;                                                            \
    case os_not_equal: LOOP(type, v != constant); break;                                                        \
    case os_less: LOOP(type, v < constant); break;                                                              \
    case os_less_or_equal: LOOP(type, v <= constant); break;                                                    \
    case os_greater: LOOP(type, v > constant); break;                                                           \
    case os_greater_or_equal: LOOP(type, v >= constant); break;                                                 \
    }                                                                                                           \
  }

COMPARISONS(u8, uint8_t)
COMPARISONS(u16, uint16_t)
COMPARISONS(u32, uint32_t)
COMPARISONS(i64, int64_t)
COMPARISONS(f32, float)
COMPARISONS(f64, double)

#define BETWEEN(suffix, type)                                                                                   \
  PER_PROCESSOR void os_between_##suffix(                                                                       \
      const type *values, size_t count, type lower, type upper, uint64_t *out) {                                \
    LOOP(type, (v >= lower) & (v <= upper));                                                                    \
  }

// What lies below the lower bound is far above it once that is subtracted: one comparison is enough.
#define BETWEEN_UNSIGNED(suffix, type)                                                                          \
  PER_PROCESSOR void os_between_##suffix(                                                                       \
      const type *values, size_t count, type lower, type upper, uint64_t *out) {                                \
    type span = (type)(upper - lower);                                                                          \
    if (lower > upper) {                                                                                        \
      memset(out, 0, 32);                                                                                       \
      return;                                                                                                   \
    }                                                                                                           \
    LOOP(type, (v - lower) <= span);                                                                            \
  }

BETWEEN_UNSIGNED(u8, uint8_t)
BETWEEN_UNSIGNED(u16, uint16_t)
BETWEEN_UNSIGNED(u32, uint32_t)
BETWEEN(i64, int64_t)
BETWEEN(f32, float)
BETWEEN(f64, double)

// Looks every code up.
PER_PROCESSOR static void lookup_each(const uint8_t *codes, size_t count, const uint8_t *table, uint64_t *out) {
  uint8_t values[256];
  // Gathers would be slower.
#pragma clang loop vectorize(disable)
  for (size_t i = 0; i < count; i++) values[i] = table[codes[i]];
  LOOP(uint8_t, v != 0);
}

// Compares every code with one of the few that are sought.
PER_PROCESSOR static void lookup_few(
    const uint8_t *values, size_t count, uint8_t a, uint8_t b, uint8_t c, uint64_t *out) {
  LOOP(uint8_t, (v == a) | (v == b) | (v == c));
}

void os_lookup_u8(const uint8_t *codes, size_t count, const uint8_t *table, uint64_t *out) {
  uint8_t sought[3] = {0, 0, 0};
  size_t found = 0;
  if (count > 256) count = 256;
  for (size_t i = 0; i < 256 && found <= 3; i += 8) {
    uint64_t eight;
    memcpy(&eight, table + i, 8);
    if (eight == 0) continue;
    for (size_t j = i; j < i + 8; j++) {
      if (table[j] == 0) continue;
      if (found < 3) sought[found] = (uint8_t)j;
      found++;
    }
  }
  if (found == 0) {
    out[0] = out[1] = out[2] = out[3] = 0;
  } else if (found <= 3) {
    lookup_few(codes, count, sought[0], found > 1 ? sought[1] : sought[0], found > 2 ? sought[2] : sought[0], out);
  } else {
    lookup_each(codes, count, table, out);
  }
}

PER_PROCESSOR void os_lookup_pairs(
    const uint8_t *left, const uint8_t *right, size_t count, uint32_t shift, const uint8_t *table, uint64_t *out) {
  uint8_t values[256];
  if (count > 256) count = 256;
#pragma clang loop vectorize(disable)
  for (size_t i = 0; i < count; i++) values[i] = table[(size_t)left[i] << shift | right[i]];
  LOOP(uint8_t, v != 0);
}

bool os_is_ascii(const uint8_t *bytes, size_t count, bool joined) {
  uint8_t high = 0;
  if (joined) {
    for (size_t i = 0; i < count; i++) high |= (uint8_t)((bytes[i] >= 0x80) & (bytes[i] != 0xFF));
  } else {
    for (size_t i = 0; i < count; i++) high |= (uint8_t)(bytes[i] >= 0x80);
  }
  return high == 0;
}

static bool continues(uint8_t byte) { return (byte & 0xC0) == 0x80; }

bool os_is_joined_utf8(const uint8_t *bytes, size_t count, size_t *texts) {
  size_t i = 0, joints = 0;
  while (i < count) {
    uint64_t eight;
    if (i + 8 <= count && (memcpy(&eight, bytes + i, 8), (eight & 0x8080808080808080u) == 0)) {
      i += 8;
      continue;
    }
    uint8_t b = bytes[i];
    size_t left = count - i;
    if (b < 0x80) {
      i += 1;
    } else if (b == 0xFF) {
      joints += 1;
      i += 1;
    } else if (b >= 0xC2 && b <= 0xDF) {
      if (left < 2 || !continues(bytes[i + 1])) return false;
      i += 2;
    } else if (b >= 0xE0 && b <= 0xEF) {
      if (left < 3 || !continues(bytes[i + 1]) || !continues(bytes[i + 2])) return false;
      if ((b == 0xE0 && bytes[i + 1] < 0xA0) || (b == 0xED && bytes[i + 1] > 0x9F)) return false;
      i += 3;
    } else if (b >= 0xF0 && b <= 0xF4) {
      if (left < 4 || !continues(bytes[i + 1]) || !continues(bytes[i + 2]) || !continues(bytes[i + 3])) return false;
      if ((b == 0xF0 && bytes[i + 1] < 0x90) || (b == 0xF4 && bytes[i + 1] > 0x8F)) return false;
      i += 4;
    } else {
      return false;
    }
  }
  *texts = joints;
  return true;
}
