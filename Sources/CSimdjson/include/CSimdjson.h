// Reads JSON records one at a time, for bulk import: a face in C over simdjson.
//
// A record is one JSON object. It is flattened to fields: every leaf with the number of its path. Paths are numbered as
// they are first met, so nobody compares strings: the caller maps a number to a column once.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a field holds.
typedef enum csj_kind : uint32_t {
  csj_null,
  csj_bool,      ///< `integer` is 0 or 1
  csj_integer,   ///< `integer`
  csj_real,      ///< `real`, and `text`, `length`: the number as written
  csj_string,    ///< `text`, `length`: unescaped UTF-8
  csj_object,    ///< `text`, `length`: an object as written; its members follow as fields of their own, unless kept whole
  csj_array,     ///< `text`, `length`: the array as written
  csj_untyped,   ///< `text`, `length`: text of which nobody knows yet what it is (CSV)
  csj_quoted,    ///< the same, written in quotes
} csj_kind;

/// A leaf of a record. `text` is valid until the next record is read.
typedef struct csj_field {
  uint32_t path;
  csj_kind kind;
  union {
    int64_t integer;
    double real;
  };
  const char *text;
  size_t length;
} csj_field;

/// Bytes that must be readable after the end of every text given to `csj_read`.
size_t csj_padding(void);

typedef struct csj_reader csj_reader;
/// NULL when there is no memory.
csj_reader *csj_reader_create(void);
void csj_reader_destroy(csj_reader *reader);

/// Reads the object in `text`. False when it is not one; then `csj_problem` says why.
bool csj_read(csj_reader *reader, const char *text, size_t length);
/// The fields of the last record, in the order of the text; valid until the next is read.
const csj_field *csj_fields(const csj_reader *reader, size_t *count);
/// A sentence on the last record that could not be read, and how far into its text the trouble is.
const char *csj_problem(const csj_reader *reader, size_t *offset);

/// From the next record on the members of objects at that path are not read: the object is there as written.
void csj_keep_whole(csj_reader *reader, size_t path);
/// Reads the elements of an array, or the members of an object, each as its name and then its value: the fields of a
/// record without paths. An object within is there as written, a list is told by its kind only. False when `text` is neither. Needs no padding.
bool csj_read_elements(csj_reader *reader, const char *text, size_t length);

/// The paths met so far, numbered from 0.
size_t csj_path_count(const csj_reader *reader);
/// The last name of a path.
const char *csj_path_name(const csj_reader *reader, size_t path, size_t *length);
/// The number of the path around it, or -1.
int64_t csj_path_parent(const csj_reader *reader, size_t path);

/// The numbers of an array such as `[-118.6, 34.4, 26.4]`, at most `capacity`; how many there are, or -1 when something
/// else than numbers is in it.
int64_t csj_numbers(const char *text, size_t length, double *numbers, size_t capacity);

/// Where a value ends.
typedef enum csj_span : uint32_t {
  csj_complete,    ///< at `*end`
  csj_incomplete,  ///< beyond the text given
  csj_unbalanced,  ///< the brackets do not fit together at `*end`
} csj_span;

/// Finds the end of the value that begins at `text[0]`, by brackets and quotes alone.
csj_span csj_value_end(const char *text, size_t length, size_t *end);

/// How many line feeds there are.
size_t csj_count_lines(const char *text, size_t length);

/// Whether the bytes are UTF-8 throughout.
bool csj_is_utf8(const char *text, size_t length);

#ifdef __cplusplus
}
#endif
