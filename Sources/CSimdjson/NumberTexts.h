// Numbers in JSON, as texts.
#pragma once

#include <cctype>
#include <cstdlib>
#include <string>
#include <string_view>

/// Whether a token is a number as JSON has them.
inline bool is_number(std::string_view token) {
  size_t at = 0;
  auto digits = [&] {
    size_t from = at;
    while (at < token.size() && isdigit((unsigned char)token[at])) at++;
    return at - from;
  };
  if (at < token.size() && token[at] == '-') at++;
  bool leads_with_zero = at < token.size() && token[at] == '0';
  size_t whole = digits();
  if (whole == 0 || (leads_with_zero && whole > 1)) return false;
  if (at < token.size() && token[at] == '.') {
    at++;
    if (digits() == 0) return false;
  }
  if (at < token.size() && (token[at] | 0x20) == 'e') {
    at++;
    if (at < token.size() && (token[at] == '+' || token[at] == '-')) at++;
    if (digits() == 0) return false;
  }
  return at == token.size();
}

/// The Double nearest to a number as JSON has them; infinite beyond the largest.
inline double real(std::string_view token) {
  std::string digits(token);
  return strtod(digits.c_str(), nullptr);
}
