#define _GNU_SOURCE
#include "Memory.h"

#include <sys/mman.h>

void *system_zeroed(void *base, size_t before, size_t size) {
  void *made = base ? mremap(base, before, size, MREMAP_MAYMOVE)
                    : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return made == MAP_FAILED ? NULL : made;
}

void system_release(void *base, size_t size) { munmap(base, size); }
