#pragma once
// System calls that Glibc's module does not offer to Swift. Each returns 0 or an errno.

#include <stdint.h>

/// Renames without replacing what may be at `to`; EINVAL or ENOSYS where the file system can't.
int system_rename_exclusively(const char *from, const char *to);
/// Exchanges the names of two files or folders atomically; EINVAL or ENOSYS where the file system can't.
int system_exchange(const char *first, const char *second);
/// Takes the whole-file lock of an open file, exclusively or shared; EWOULDBLOCK if it is taken and `wait` is 0.
int system_lock(int descriptor, int exclusive, int wait);
/// Releases the lock of `system_lock`.
int system_unlock(int descriptor);
/// Makes the file at least `count` bytes long with blocks of its own, so that writing there can't fail later.
int system_reserve(int descriptor, int64_t count);
/// Makes a write beyond the size limit of files (`ulimit -f`) fail with EFBIG instead of ending the process. What the
/// program itself has set for the signal stays.
void system_outlive_file_size_limit(void);
/// A number that is another one in every process that came about by `fork`. Costs one load.
uint32_t system_process_generation(void);
/// Makes `system_process_generation` count the forks that follow.
void system_watch_forks(void);
