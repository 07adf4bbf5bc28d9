#pragma once
// Telling threads apart.

#include <stdint.h>

/// A number of the calling thread that no other thread of the process has, had or will have, unlike what the system
/// calls it. Never 0.
uint64_t platform_thread_number(void);
