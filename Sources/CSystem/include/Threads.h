#pragma once
// What threads need that Swift's library does not offer: a number of their own, and words that they share without a lock.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// A number of the calling thread that no other thread of the process has, had or will have, unlike what the system
/// calls it. Never 0.
uint64_t system_thread_number(void);

/// Tells the processor that this thread is waiting for another.
static inline void system_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// Words that threads share without a lock.
static inline uint64_t system_load_relaxed(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }
static inline bool system_replace_relaxed(uint64_t *word, uint64_t expected, uint64_t desired) {
  return __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
static inline uint64_t *_Nullable system_load_pointer(uint64_t *_Nullable const *_Nonnull place) {
  return __atomic_load_n(place, __ATOMIC_ACQUIRE);
}
static inline bool system_publish_pointer(uint64_t *_Nullable *_Nonnull place, uint64_t *pointer) {
  uint64_t *_Nullable none = NULL;
  return __atomic_compare_exchange_n(place, &none, pointer, false, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE);
}

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
