#define _GNU_SOURCE
#include "FileSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int system_rename_exclusively(const char *from, const char *to) {
#ifdef __linux__
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0 ? 0 : errno;
#else
  (void)from;
  (void)to;
  return ENOSYS;
#endif
}

int system_exchange(const char *first, const char *second) {
#ifdef __linux__
  return renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE) == 0 ? 0 : errno;
#else
  (void)first;
  (void)second;
  return ENOSYS;
#endif
}

int system_lock(int descriptor, int exclusive, int wait) {
  int operation = (exclusive ? LOCK_EX : LOCK_SH) | (wait ? 0 : LOCK_NB);
  int result;
  do result = flock(descriptor, operation);
  while (result != 0 && errno == EINTR);
  return result == 0 ? 0 : errno;
}

int system_unlock(int descriptor) {
  return flock(descriptor, LOCK_UN) == 0 ? 0 : errno;
}

int system_reserve(int descriptor, int64_t count) {
#ifdef __linux__
  int result;
  do result = fallocate(descriptor, 0, 0, count);
  while (result != 0 && errno == EINTR);
  return result == 0 ? 0 : errno;
#else
  (void)descriptor;
  (void)count;
  return EOPNOTSUPP;
#endif
}

static void passOver(int number) {
  (void)number;
}

void system_outlive_file_size_limit(void) {
  struct sigaction known;
  if (sigaction(SIGXFSZ, NULL, &known) != 0 || (known.sa_flags & SA_SIGINFO) || known.sa_handler != SIG_DFL) return;
  // A handler, since programs that are run from here would inherit an ignored signal.
  struct sigaction handled = {.sa_handler = passOver, .sa_flags = SA_RESTART};
  sigemptyset(&handled.sa_mask);
  sigaction(SIGXFSZ, &handled, NULL);
}

static atomic_uint generation = 1;

static void forked(void) {
  atomic_fetch_add_explicit(&generation, 1, memory_order_relaxed);
}

static void watch(void) {
  pthread_atfork(NULL, NULL, forked);
}

void system_watch_forks(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch);
}

uint32_t system_process_generation(void) {
  return atomic_load_explicit(&generation, memory_order_relaxed);
}
