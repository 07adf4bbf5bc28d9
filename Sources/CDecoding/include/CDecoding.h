// Writes what is in a compressed file, or in a text of another encoding, to another file, and compresses what is written
// to a file: a face over zlib, zstd and iconv.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// How decoding ended.
typedef enum cdec_outcome {
  cdec_done,
  cdec_unreadable,  ///< reading failed; see errno
  cdec_unwritable,  ///< writing failed; see errno
  cdec_damaged,     ///< the data is not what it should be
  cdec_cut,         ///< the data ends too early
  cdec_unknown,     ///< there is no such encoding
  cdec_no_memory,
} cdec_outcome;

/// Decompresses gzip, also several files one after the other.
cdec_outcome cdec_gzip(int input, int output);
/// Decompresses zstd, also several frames.
cdec_outcome cdec_zstd(int input, int output);
/// Converts text of an encoding, by the name that iconv has for it, to UTF-8. A damaged text ends at `*offset`.
cdec_outcome cdec_text(int input, int output, const char *encoding, size_t *offset);

/// Compresses gzip or zstd, piece by piece.
typedef struct cdec_encoder cdec_encoder;
/// NULL when there is no memory.
cdec_encoder *cdec_gzip_encoder(void);
cdec_encoder *cdec_zstd_encoder(void);
void cdec_destroy(cdec_encoder *encoder);
/// Compresses bytes, and writes what is complete; all of it after the last ones.
cdec_outcome cdec_encode(cdec_encoder *encoder, int output, const void *bytes, size_t count, bool is_last);
