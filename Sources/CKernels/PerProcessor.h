#ifndef OS_PER_PROCESSOR_H
#define OS_PER_PROCESSOR_H

// A function marked so exists once for every level of the processor, chosen when the program starts; a consumer of the
// package needs no flags.
//
// Not where the thread sanitizer watches: it has the choosing report to it, before there is anybody to report to.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define OS_IS_WATCHED
#endif
#endif

#if defined(__x86_64__) && defined(__ELF__) && !defined(OS_IS_WATCHED)
#define PER_PROCESSOR __attribute__((target_clones("default", "avx2", "arch=x86-64-v4")))
#else
#define PER_PROCESSOR
#endif

#endif
