#pragma once

#include <stddef.h>

/// Where `needle` first occurs in `text`, or -1. An empty needle occurs at 0.
ptrdiff_t text_find(const void *_Nullable text, size_t count, const void *_Nullable needle, size_t needle_count);

/// The same for a needle in lower case and ASCII text in any case; bytes over 0x7F are compared as they are.
ptrdiff_t text_find_ignoring_case(const void *_Nullable text, size_t count, const void *_Nullable needle,
                                  size_t needle_count);
