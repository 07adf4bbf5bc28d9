// A needle at one end of many texts: the first eight bytes of it are compared as a word.

#include "TextEnds.h"

#include <string.h>

static inline uint8_t lowered(uint8_t byte) { return (uint8_t)(byte - 'A') < 26 ? byte | 0x20 : byte; }

static bool equal(const uint8_t *text, const uint8_t *needle, size_t count, bool ignoring_case) {
  if (!ignoring_case) return memcmp(text, needle, count) == 0;
  for (size_t i = 0; i < count; i++)
    if (lowered(text[i]) != needle[i]) return false;
  return true;
}

void text_fits(const uint8_t *bytes, const uint32_t *offsets, size_t count, const uint8_t *needle, size_t needle_count,
               text_place place, bool ignoring_case, uint64_t *out) {
  uint8_t start[8] = {0}, significant[8] = {0}, cases[8] = {0};
  for (size_t i = 0; i < 8 && i < needle_count; i++) {
    start[i] = needle[i];
    significant[i] = 0xFF;
    // Of the bytes that are a letter with this bit set, all are that letter in one case or the other.
    if (ignoring_case && (uint8_t)(needle[i] - 'a') < 26) cases[i] = 0x20;
  }
  uint64_t word, mask, letters;
  memcpy(&word, start, 8);
  memcpy(&mask, significant, 8);
  memcpy(&letters, cases, 8);
  if (count > 256) count = 256;
  out[0] = out[1] = out[2] = out[3] = 0;
  size_t total = offsets[count];
  for (size_t i = 0; i < count; i++) {
    size_t first = offsets[i], length = offsets[i + 1] - 1 - first;
    if (place == text_whole ? length != needle_count : length < needle_count) continue;
    size_t at = place == text_end ? first + length - needle_count : first;
    bool fits;
    if (at + 8 <= total) {
      uint64_t eight;
      memcpy(&eight, bytes + at, 8);
      fits = (((eight | letters) ^ word) & mask) == 0
             && (needle_count <= 8 || equal(bytes + at + 8, needle + 8, needle_count - 8, ignoring_case));
    } else {
      fits = needle_count == 0 || equal(bytes + at, needle, needle_count, ignoring_case);
    }
    out[i >> 6] |= (uint64_t)fits << (i & 63);
  }
}
