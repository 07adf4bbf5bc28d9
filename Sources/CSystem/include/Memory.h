#pragma once
// Memory that costs nothing before it is written.

#include <stddef.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// Makes memory of `size` bytes, or makes that of `base`, which has `before` bytes, so large. What was not written is 0,
/// and takes no room. NULL where there is no address space left; `base` is then as it was.
void *_Nullable system_zeroed(void *_Nullable base, size_t before, size_t size);
/// Frees the memory of `system_zeroed`.
void system_release(void *base, size_t size);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
