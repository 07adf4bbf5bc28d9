#include "ClusterKernels.h"

#include <string.h>

// Each kernel exists once for every level of the processor, chosen when the program starts; a consumer of the package
// needs no flags.
#if defined(__x86_64__) && defined(__ELF__)
#define PER_PROCESSOR __attribute__((target_clones("default", "avx2", "arch=x86-64-v4")))
#else
#define PER_PROCESSOR
#endif

// Sixty-four comparisons into a word. Written as bytes first, it becomes vector compares and moves of their masks.
#define WORD(result, test)                                \
  do {                                                    \
    uint64_t word_ = 0;                                   \
    for (unsigned j = 0; j < 64; j++) {                   \
      word_ |= (uint64_t)(test) << j;                     \
    }                                                     \
    result = word_;                                       \
  } while (0)

#define LOOP(test)                                        \
  do {                                                    \
    size_t k = 0;                                         \
    out[0] = out[1] = out[2] = out[3] = 0;                \
    if (count > 256) count = 256;                         \
    for (; k + 64 <= count; k += 64) WORD(out[k / 64], test); \
    if (k < count) {                                      \
      uint64_t last = 0;                                  \
      for (unsigned j = 0; k + j < count; j++) {          \
        last |= (uint64_t)(test) << j;                    \
      }                                                   \
      out[k / 64] = last;                                 \
    }                                                     \
  } while (0)

#define KERNELS(suffix, type)                                                                                      \
  PER_PROCESSOR void os_compare_##suffix(                                                                          \
      const type *values, size_t count, type constant, os_comparison op, uint64_t *out) {                          \
    switch (op) {                                                                                                  \
    case os_equal: LOOP(values[k + j] == constant); break;                                                         \
    case os_not_equal: LOOP(values[k + j] != constant); break;                                                     \
    case os_less: LOOP(values[k + j] < constant); break;                                                           \
    case os_less_or_equal: LOOP(values[k + j] <= constant); break;                                                 \
    case os_greater: LOOP(values[k + j] > constant); break;                                                        \
    case os_greater_or_equal: LOOP(values[k + j] >= constant); break;                                              \
    }                                                                                                              \
  }                                                                                                                \
  PER_PROCESSOR void os_between_##suffix(                                                                          \
      const type *values, size_t count, type lower, type upper, uint64_t *out) {                                   \
    LOOP((values[k + j] >= lower) & (values[k + j] <= upper));                                                     \
  }

KERNELS(u8, uint8_t)
KERNELS(u16, uint16_t)
KERNELS(u32, uint32_t)
KERNELS(i64, int64_t)
KERNELS(f32, float)
KERNELS(f64, double)

PER_PROCESSOR void os_lookup_u8(const uint8_t *codes, size_t count, const uint8_t *table, uint64_t *out) {
  LOOP(table[codes[k + j]] != 0);
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
