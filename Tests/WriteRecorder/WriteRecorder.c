#define _GNU_SOURCE
#include "WriteRecorder.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int output = -1;
static dev_t device;
static ino_t inode;

static int is_recorded(int file) {
  if (output < 0) return 0;
  struct stat status;
  return fstat(file, &status) == 0 && status.st_dev == device && status.st_ino == inode;
}

/// Writes a record; a log that is not whole would prove nothing.
static void put(const void *bytes, size_t count) {
  while (count > 0) {
    ssize_t done = syscall(SYS_write, output, bytes, count);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) abort();
    bytes = (const char *)bytes + done;
    count -= (size_t)done;
  }
}

static void note(uint64_t kind, uint64_t first, uint64_t second, const void *bytes, size_t count) {
  uint64_t head[3] = {kind, first, second};
  pthread_mutex_lock(&lock);
  put(head, sizeof head);
  put(bytes, count);
  pthread_mutex_unlock(&lock);
}

/// A file that was opened with O_DSYNC has what was written on the disk when the call returns.
static void note_write(int file, const void *bytes, ssize_t count, off_t offset) {
  if (count <= 0) return;
  note(RECORDED_WRITE, (uint64_t)offset, (uint64_t)count, bytes, (size_t)count);
  if (fcntl(file, F_GETFL) & O_DSYNC) note(RECORDED_RANGE_SYNC, (uint64_t)offset, (uint64_t)count, NULL, 0);
}

int recorder_begin(const char *file, const char *log) {
  struct stat status;
  if (stat(file, &status) != 0) return 0;
  device = status.st_dev;
  inode = status.st_ino;
  output = open(log, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  return output >= 0;
}

void recorder_mark(uint64_t number) { note(RECORDED_MARK, number, 0, NULL, 0); }

// The functions of the system, as the library and this program see them.

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  ssize_t done = syscall(SYS_pwrite64, file, bytes, count, offset);
  if (is_recorded(file)) note_write(file, bytes, done, offset);
  return done;
}

ssize_t write(int file, const void *bytes, size_t count) {
  int recorded = is_recorded(file);
  off_t offset = recorded ? lseek(file, 0, SEEK_CUR) : 0;
  ssize_t done = syscall(SYS_write, file, bytes, count);
  if (recorded) note_write(file, bytes, done, offset);
  return done;
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  int recorded = is_recorded(file);
  off_t offset = recorded ? lseek(file, 0, SEEK_CUR) : 0;
  ssize_t done = syscall(SYS_writev, file, parts, count);
  ssize_t left = recorded ? done : 0;
  for (int index = 0; index < count && left > 0; index++) {
    ssize_t part = (ssize_t)parts[index].iov_len < left ? (ssize_t)parts[index].iov_len : left;
    note_write(file, parts[index].iov_base, part, offset);
    offset += part;
    left -= part;
  }
  return done;
}

int fsync(int file) {
  int result = (int)syscall(SYS_fsync, file);
  if (result == 0 && is_recorded(file)) note(RECORDED_SYNC, 0, 0, NULL, 0);
  return result;
}

int fdatasync(int file) {
  int result = (int)syscall(SYS_fdatasync, file);
  if (result == 0 && is_recorded(file)) note(RECORDED_SYNC, 0, 0, NULL, 0);
  return result;
}

int ftruncate(int file, off_t length) {
  int result = (int)syscall(SYS_ftruncate, file, length);
  if (result == 0 && is_recorded(file)) note(RECORDED_LENGTH, (uint64_t)length, 0, NULL, 0);
  return result;
}
