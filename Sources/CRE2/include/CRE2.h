#pragma once
// RE2 behind a C face: linear-time regular expressions over UTF-8. No exception leaves it.

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A compiled pattern. It may be used from several threads at once.
typedef struct cre2_pattern cre2_pattern;

/// Why a pattern cannot be compiled.
typedef enum {
  CRE2_OK = 0,
  CRE2_OUT_OF_MEMORY,
  CRE2_BAD_ESCAPE,
  CRE2_BAD_CHARACTER_CLASS,
  CRE2_MISSING_BRACKET,
  CRE2_MISSING_PARENTHESIS,
  CRE2_TRAILING_BACKSLASH,
  CRE2_NOTHING_TO_REPEAT,
  CRE2_BAD_REPEAT,
  CRE2_BAD_GROUP,
  CRE2_BAD_UTF8,
  CRE2_TOO_LARGE,
  CRE2_OTHER,
} cre2_error;

/// Compiles `count` bytes of `pattern`. On failure gives NULL, the error, and which bytes of the pattern are wrong.
cre2_pattern *cre2_compile(const char *pattern, size_t count, bool ignoring_case, cre2_error *error,
                           size_t *error_offset, size_t *error_count);

/// Whether the whole of `text` matches.
bool cre2_matches(const cre2_pattern *pattern, const char *text, size_t count);

/// Frees a pattern. NULL is allowed.
void cre2_free(cre2_pattern *pattern);

#ifdef __cplusplus
}
#endif
