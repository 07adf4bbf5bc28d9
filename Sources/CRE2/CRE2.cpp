#include "CRE2.h"

#include <re2/re2.h>

#include <new>
#include <string>

struct cre2_pattern {
  re2::RE2 expression;
  cre2_pattern(const re2::StringPiece &text, const re2::RE2::Options &options) : expression(text, options) {}
};

static cre2_error error_of(re2::RE2::ErrorCode code) {
  switch (code) {
    case re2::RE2::NoError: return CRE2_OK;
    case re2::RE2::ErrorBadEscape: return CRE2_BAD_ESCAPE;
    case re2::RE2::ErrorBadCharClass:
    case re2::RE2::ErrorBadCharRange: return CRE2_BAD_CHARACTER_CLASS;
    case re2::RE2::ErrorMissingBracket: return CRE2_MISSING_BRACKET;
    case re2::RE2::ErrorMissingParen:
    case re2::RE2::ErrorUnexpectedParen: return CRE2_MISSING_PARENTHESIS;
    case re2::RE2::ErrorTrailingBackslash: return CRE2_TRAILING_BACKSLASH;
    case re2::RE2::ErrorRepeatArgument: return CRE2_NOTHING_TO_REPEAT;
    case re2::RE2::ErrorRepeatSize:
    case re2::RE2::ErrorRepeatOp: return CRE2_BAD_REPEAT;
    case re2::RE2::ErrorBadPerlOp:
    case re2::RE2::ErrorBadNamedCapture: return CRE2_BAD_GROUP;
    case re2::RE2::ErrorBadUTF8: return CRE2_BAD_UTF8;
    case re2::RE2::ErrorPatternTooLarge: return CRE2_TOO_LARGE;
    default: return CRE2_OTHER;
  }
}

cre2_pattern *cre2_compile(const char *pattern, size_t count, bool ignoring_case, cre2_error *error,
                           size_t *error_offset, size_t *error_count) {
  *error_offset = 0;
  *error_count = count;
  try {
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_never_capture(true);
    options.set_case_sensitive(!ignoring_case);
    cre2_pattern *compiled = new cre2_pattern(re2::StringPiece(pattern, count), options);
    *error = error_of(compiled->expression.error_code());
    if (*error == CRE2_OK) return compiled;
    // RE2 says what is wrong by quoting it; the quote's first place in the pattern is where it stands.
    const std::string &quote = compiled->expression.error_arg();
    size_t found = quote.empty() ? std::string::npos : std::string(pattern, count).find(quote);
    if (found != std::string::npos) {
      *error_offset = found;
      *error_count = quote.size();
    }
    delete compiled;
    return nullptr;
  } catch (...) {
    *error = CRE2_OUT_OF_MEMORY;
    return nullptr;
  }
}

bool cre2_matches(const cre2_pattern *pattern, const char *text, size_t count) {
  try {
    return pattern->expression.Match(re2::StringPiece(text, count), 0, count, re2::RE2::ANCHOR_BOTH, nullptr, 0);
  } catch (...) {
    return false;
  }
}

void cre2_free(cre2_pattern *pattern) { delete pattern; }
