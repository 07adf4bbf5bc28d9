#include "CDecoding.h"

#include <errno.h>
#include <iconv.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { room = 1 << 17 };

/// Reads until the buffer is full or the file ends; negative when reading fails.
static ssize_t fill(int input, void *bytes, size_t count) {
  size_t done = 0;
  while (done < count) {
    ssize_t part = read(input, (char *)bytes + done, count - done);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) return -1;
    if (part == 0) break;
    done += (size_t)part;
  }
  return (ssize_t)done;
}

static bool put(int output, const void *bytes, size_t count) {
  while (count > 0) {
    ssize_t part = write(output, bytes, count);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) return false;
    bytes = (const char *)bytes + part;
    count -= (size_t)part;
  }
  return true;
}

static cdec_outcome inflate_all(z_stream *stream, int input, int output, unsigned char *in, unsigned char *out) {
  // Whether the data of one file has ended; another may follow.
  bool has_ended = false;
  for (;;) {
    ssize_t count = fill(input, in, room);
    if (count < 0) return cdec_unreadable;
    if (count == 0) return has_ended ? cdec_done : cdec_cut;
    stream->next_in = in;
    stream->avail_in = (unsigned)count;
    while (stream->avail_in > 0) {
      if (has_ended) {
        // Tapes and some programs fill up with zeros.
        if (stream->next_in[0] == 0) {
          stream->next_in++;
          stream->avail_in--;
          continue;
        }
        if (inflateReset(stream) != Z_OK) return cdec_damaged;
        has_ended = false;
      }
      do {
        stream->next_out = out;
        stream->avail_out = room;
        int code = inflate(stream, Z_NO_FLUSH);
        if (code == Z_MEM_ERROR) return cdec_no_memory;
        if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) return cdec_damaged;
        if (!put(output, out, room - stream->avail_out)) return cdec_unwritable;
        has_ended = code == Z_STREAM_END;
      } while (stream->avail_out == 0 && !has_ended);
    }
  }
}

cdec_outcome cdec_gzip(int input, int output) {
  unsigned char *in = malloc(room), *out = malloc(room);
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  cdec_outcome outcome = cdec_no_memory;
  // 16 is for the header of gzip.
  if (in && out && inflateInit2(&stream, 15 + 16) == Z_OK) {
    outcome = inflate_all(&stream, input, output, in, out);
    int code = errno;
    inflateEnd(&stream);
    errno = code;
  }
  free(in);
  free(out);
  return outcome;
}

cdec_outcome cdec_zstd(int input, int output) {
  ZSTD_DCtx *context = ZSTD_createDCtx();
  char *in = malloc(room), *out = malloc(room);
  cdec_outcome outcome = context && in && out ? cdec_done : cdec_no_memory;
  // What zstd wants of the frame that has begun; 0 at the end of one.
  size_t wanted = 0;
  bool is_empty = true;
  while (outcome == cdec_done) {
    ssize_t count = fill(input, in, room);
    if (count < 0) outcome = cdec_unreadable;
    if (count == 0 && (wanted != 0 || is_empty)) outcome = cdec_cut;
    if (count <= 0) break;
    is_empty = false;
    ZSTD_inBuffer source = {in, (size_t)count, 0};
    bool is_full = false;
    while (outcome == cdec_done && (source.pos < source.size || is_full)) {
      ZSTD_outBuffer target = {out, room, 0};
      wanted = ZSTD_decompressStream(context, &target, &source);
      if (ZSTD_isError(wanted)) outcome = cdec_damaged;
      else if (!put(output, out, target.pos)) outcome = cdec_unwritable;
      // At the end of a frame nothing is held back.
      is_full = wanted != 0 && target.pos == target.size;
    }
  }
  int code = errno;
  free(in);
  free(out);
  ZSTD_freeDCtx(context);
  errno = code;
  return outcome;
}

cdec_outcome cdec_text(int input, int output, const char *encoding, size_t *offset) {
  iconv_t converter = iconv_open("UTF-8", encoding);
  if (converter == (iconv_t)-1) return errno == EINVAL ? cdec_unknown : cdec_no_memory;
  char *in = malloc(room), *out = malloc(room);
  cdec_outcome outcome = in && out ? cdec_done : cdec_no_memory;
  // Bytes of a character that the buffer has only the beginning of.
  size_t left = 0;
  *offset = 0;
  while (outcome == cdec_done) {
    ssize_t count = fill(input, in + left, room - left);
    if (count < 0) outcome = cdec_unreadable;
    if (count == 0 && left > 0) outcome = cdec_cut;
    if (count == 0 && left == 0) {
      // A letter is held back as long as a mark over it may follow.
      char *target = out;
      size_t space = room;
      if (iconv(converter, NULL, NULL, &target, &space) == (size_t)-1) outcome = cdec_damaged;
      else if (!put(output, out, room - space)) outcome = cdec_unwritable;
    }
    if (count <= 0) break;
    char *source = in;
    size_t size = left + (size_t)count;
    left = 0;
    while (outcome == cdec_done && size > 0) {
      char *target = out;
      size_t space = room;
      const char *before = source;
      size_t code = iconv(converter, &source, &size, &target, &space);
      int reason = errno;
      *offset += (size_t)(source - before);
      if (!put(output, out, room - space)) outcome = cdec_unwritable;
      else if (code == (size_t)-1 && reason == EILSEQ) outcome = cdec_damaged;
      else if (code == (size_t)-1 && reason == EINVAL) {
        memmove(in, source, size);
        left = size;
        break;
      }
    }
  }
  int code = errno;
  free(in);
  free(out);
  iconv_close(converter);
  errno = code;
  return outcome;
}

struct cdec_encoder {
  z_stream gzip;
  /// NULL for gzip.
  ZSTD_CCtx *zstd;
  char out[room];
};

cdec_encoder *cdec_gzip_encoder(void) {
  cdec_encoder *encoder = calloc(1, sizeof *encoder);
  // 16 is for the header of gzip, 8 the memory that zlib uses when not told.
  if (encoder && deflateInit2(&encoder->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    free(encoder);
    return NULL;
  }
  return encoder;
}

cdec_encoder *cdec_zstd_encoder(void) {
  cdec_encoder *encoder = calloc(1, sizeof *encoder);
  if (encoder) encoder->zstd = ZSTD_createCCtx();
  if (encoder && (!encoder->zstd || ZSTD_isError(ZSTD_CCtx_setParameter(encoder->zstd, ZSTD_c_checksumFlag, 1)))) {
    ZSTD_freeCCtx(encoder->zstd);
    free(encoder);
    return NULL;
  }
  return encoder;
}

void cdec_destroy(cdec_encoder *encoder) {
  if (encoder->zstd) ZSTD_freeCCtx(encoder->zstd);
  else deflateEnd(&encoder->gzip);
  free(encoder);
}

static cdec_outcome deflate_part(cdec_encoder *encoder, int output, const void *bytes, unsigned count, bool is_last) {
  encoder->gzip.next_in = (unsigned char *)bytes;
  encoder->gzip.avail_in = count;
  int code;
  do {
    encoder->gzip.next_out = (unsigned char *)encoder->out;
    encoder->gzip.avail_out = room;
    code = deflate(&encoder->gzip, is_last ? Z_FINISH : Z_NO_FLUSH);
    if (code == Z_STREAM_ERROR) return cdec_damaged;
    if (!put(output, encoder->out, room - encoder->gzip.avail_out)) return cdec_unwritable;
  } while (is_last ? code != Z_STREAM_END : encoder->gzip.avail_out == 0);
  return cdec_done;
}

cdec_outcome cdec_encode(cdec_encoder *encoder, int output, const void *bytes, size_t count, bool is_last) {
  if (encoder->zstd) {
    ZSTD_inBuffer source = {bytes, count, 0};
    for (;;) {
      ZSTD_outBuffer target = {encoder->out, room, 0};
      size_t left = ZSTD_compressStream2(encoder->zstd, &target, &source, is_last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left)) return cdec_no_memory;
      if (!put(output, encoder->out, target.pos)) return cdec_unwritable;
      if (is_last ? left == 0 : source.pos == source.size) return cdec_done;
    }
  }
  // zlib counts in 32 bits.
  const char *rest = bytes;
  do {
    unsigned part = count > 1u << 30 ? 1u << 30 : (unsigned)count;
    count -= part;
    cdec_outcome outcome = deflate_part(encoder, output, rest, part, is_last && count == 0);
    if (outcome != cdec_done) return outcome;
    rest += part;
  } while (count > 0);
  return cdec_done;
}
