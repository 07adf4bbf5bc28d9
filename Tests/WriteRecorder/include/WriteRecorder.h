#ifndef WRITE_RECORDER_H
#define WRITE_RECORDER_H

#include <stdint.h>

/// What a record of the log begins with. Numbers are 64 bits in the order of the machine.
enum {
  RECORDED_WRITE = 1,     // offset, count, bytes: written, and perhaps not on the disk yet
  RECORDED_SYNC = 2,      // all that was written before is on the disk
  RECORDED_RANGE_SYNC = 3, // offset, count: what was written there is on the disk
  RECORDED_LENGTH = 4,    // length: the file was cut or grown
  RECORDED_MARK = 5,      // number: what the program wanted to have said at this point
};

/// Records from now on, in `log`, everything that this process writes to `file`, and when it syncs it; 0 when it could
/// not be begun. The functions of the system that write and sync are replaced in a program that is linked with this.
int recorder_begin(const char *_Nonnull file, const char *_Nonnull log);

/// Adds a mark.
void recorder_mark(uint64_t number);

#endif
