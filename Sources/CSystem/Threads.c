#include "Threads.h"

#include <stdatomic.h>

uint64_t system_thread_number(void) {
  static atomic_uint_fast64_t last = 0;
  static _Thread_local uint64_t number = 0;
  if (number == 0) number = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
  return number;
}
