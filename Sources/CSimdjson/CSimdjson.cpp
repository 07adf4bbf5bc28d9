#include "CSimdjson.h"
#include "NumberTexts.h"

#include <simdjson.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

using namespace simdjson;

constexpr uint32_t noPath = UINT32_MAX;
constexpr int deepest = 64;
/// How many of the members expected next are compared before the name is looked up.
constexpr size_t nearby = 8;

/// A path met so far: its last name, and its children in the order in which they were met.
struct Path {
  std::string name;
  uint32_t parent;
  std::vector<uint32_t> children;
  /// Where in `children` the next member is expected: objects of one file mostly have their members in one order.
  size_t expected = 0;
  /// The place among the children of its parent.
  size_t position = 0;
  /// Whether objects here are not looked into.
  bool whole = false;
  /// The record that had it last.
  uint64_t record = 0;
  /// Whether the name has nothing that JSON cannot write without an escape.
  bool plain = false;
};

struct Problem {
  const char *message = nullptr;
  size_t offset = 0;
};

}  // namespace

struct csj_reader {
  ondemand::parser parser;
  std::vector<Path> paths;
  std::vector<uint32_t> roots;
  size_t expectedRoot = 0;
  /// The paths by parent and name, for members in another order than before and for new ones: an object may have very
  /// many.
  std::unordered_map<std::string, uint32_t> known;
  std::vector<csj_field> fields;
  Problem problem;
  /// The number of the record that is read, from 1.
  uint64_t record = 0;

  bool read(const char *text, size_t length);
  bool readElements(const char *text, size_t length);

 private:
  /// A copy with padding, of texts that lack it.
  std::string padded;
  bool members(ondemand::object object, uint32_t parent, int depth);
  bool value(ondemand::value value, uint32_t path, int depth);
  bool element(ondemand::value value);
  bool number(ondemand::value value, uint32_t path);
  uint32_t path(uint32_t parent, std::string_view name);
  uint32_t expectedPath(uint32_t parent, ondemand::raw_json_string name);
  bool fail(error_code error);
  bool fail(const char *message) {
    problem.message = message;
    return false;
  }
};

namespace {

const char *sentence(error_code error) {
  switch (error) {
    case UTF8_ERROR: return "not valid UTF-8";
    case UNESCAPED_CHARS: return "a control character stands unescaped in a string";
    case UNCLOSED_STRING: return "a string is not closed";
    case STRING_ERROR: return "a string has an escape that means nothing";
    case NUMBER_ERROR: return "a number is not written as JSON has it";
    case T_ATOM_ERROR:
    case F_ATOM_ERROR:
    case N_ATOM_ERROR: return "a word that is not true, false or null";
    case DEPTH_ERROR: return "nested too deeply";
    case EMPTY: return "empty";
    case INCOMPLETE_ARRAY_OR_OBJECT: return "the text ends within an object or array";
    case CAPACITY:
    case MEMALLOC: return "too large";
    case INCORRECT_TYPE: return "not an object";
    case TRAILING_CONTENT: return "something follows the object";
    default: return "not JSON";
  }
}

}  // namespace

bool csj_reader::fail(error_code error) { return fail(sentence(error)); }

bool csj_reader::read(const char *text, size_t length) {
  fields.clear();
  problem = {};
  record++;
  ondemand::document document;
  if (auto error = parser.iterate(text, length, length + SIMDJSON_PADDING).get(document)) return fail(error);
  ondemand::object object;
  bool done = false;
  if (auto error = document.get_object().get(object)) {
    fail(error);
  } else if (members(object, noPath, 1)) {
    const char *following = nullptr;
    if (document.current_location().get(following)) done = true;  // there is no token left
    else fail(TRAILING_CONTENT);
  }
  if (!done) {
    const char *place = nullptr;
    if (!document.current_location().get(place) && place >= text && place <= text + length) problem.offset = place - text;
    else problem.offset = length;
  }
  return done;
}

bool csj_reader::members(ondemand::object object, uint32_t parent, int depth) {
  if (depth > deepest) return fail(DEPTH_ERROR);
  for (auto member : object) {
    ondemand::raw_json_string raw;
    ondemand::value content;
    if (auto error = member.key().get(raw)) return fail(error);
    uint32_t number = expectedPath(parent, raw);
    if (number == noPath) {
      std::string_view name;
      if (auto error = member.unescaped_key().get(name)) return fail(error);
      number = path(parent, name);
    }
    if (paths[number].record == record) return fail("a name is there twice in one object");
    paths[number].record = record;
    if (auto error = member.value().get(content)) return fail(error);
    if (!value(content, number, depth)) return false;
  }
  return true;
}

bool csj_reader::value(ondemand::value value, uint32_t path, int depth) {
  ondemand::json_type type;
  if (auto error = value.type().get(type)) return fail(error);
  csj_field field{path, csj_null, {0}, nullptr, 0};
  switch (type) {
    case ondemand::json_type::null: {
      bool isNull = false;
      if (auto error = value.is_null().get(isNull)) return fail(error);
      if (!isNull) return fail(N_ATOM_ERROR);
      break;
    }
    case ondemand::json_type::boolean: {
      bool truth = false;
      if (auto error = value.get_bool().get(truth)) return fail(error);
      field.kind = csj_bool;
      field.integer = truth;
      break;
    }
    case ondemand::json_type::string: {
      std::string_view text;
      if (auto error = value.get_string().get(text)) return fail(error);
      field.kind = csj_string;
      field.text = text.data();
      field.length = text.size();
      break;
    }
    case ondemand::json_type::number:
      return number(value, path);
    case ondemand::json_type::object: {
      field.kind = csj_object;
      const char *start = value.raw_json_token().data();
      ondemand::object object;
      if (auto error = value.get_object().get(object)) return fail(error);
      std::string_view text;
      if (paths[path].whole) {
        if (auto error = object.raw_json().get(text)) return fail(error);
        field.text = text.data();
        field.length = text.size();
        break;
      }
      field.text = start;
      size_t place = fields.size();
      fields.push_back(field);
      if (!members(object, path, depth + 1)) return false;
      // Up to the next token, which is there: an object around this one ends.
      const char *end = nullptr;
      if (auto error = value.current_location().get(end)) return fail(error);
      fields[place].length = end - start;
      return true;
    }
    case ondemand::json_type::array: {
      ondemand::array array;
      std::string_view text;
      if (auto error = value.get_array().get(array)) return fail(error);
      if (auto error = array.raw_json().get(text)) return fail(error);
      field.kind = csj_array;
      field.text = text.data();
      field.length = text.size();
      break;
    }
  }
  fields.push_back(field);
  return true;
}

bool csj_reader::number(ondemand::value value, uint32_t path) {
  csj_field field{path, csj_integer, {0}, nullptr, 0};
  std::string_view token = value.raw_json_token();
  size_t written = token.size();
  while (written > 0 && strchr(" \t\r\n", token[written - 1])) written--;
  ondemand::number number;
  auto error = value.get_number().get(number);
  if (error) {
    // simdjson refuses whole numbers over 64 bits and numbers beyond a Double. The one have a value as a Double all the
    // same, and of the others the property should be told.
    token = token.substr(0, written);
    if (!is_number(token)) return fail(error);
    field.kind = csj_real;
    field.real = real(token);
    field.text = token.data();
    field.length = written;
    // The loop over the members steps over the token that was refused.
    fields.push_back(field);
    return true;
  }
  switch (number.get_number_type()) {
    case ondemand::number_type::signed_integer:
      field.integer = number.get_int64();
      break;
    case ondemand::number_type::unsigned_integer:
      field.kind = csj_real;
      field.real = (double)number.get_uint64();
      field.text = token.data();
      field.length = written;
      break;
    default:
      field.kind = csj_real;
      // simdjson reads a number of many digits as 0 in some versions.
      field.real = written < 18 ? number.get_double() : real(token.substr(0, written));
      field.text = token.data();
      field.length = written;
  }
  fields.push_back(field);
  return true;
}

/// The path of the member that is expected next, when its name is that one as written; else none.
uint32_t csj_reader::expectedPath(uint32_t parent, ondemand::raw_json_string name) {
  size_t &expected = parent == noPath ? expectedRoot : paths[parent].expected;
  const std::vector<uint32_t> &children = parent == noPath ? roots : paths[parent].children;
  if (children.empty()) return noPath;
  if (expected >= children.size()) expected = 0;
  uint32_t candidate = children[expected];
  if (!paths[candidate].plain || !name.unsafe_is_equal(paths[candidate].name)) return noPath;
  expected++;
  return candidate;
}

uint32_t csj_reader::path(uint32_t parent, std::string_view name) {
  size_t &expected = parent == noPath ? expectedRoot : paths[parent].expected;
  std::vector<uint32_t> &children = parent == noPath ? roots : paths[parent].children;
  for (size_t tries = 0; tries < std::min(children.size(), nearby); tries++) {
    if (expected >= children.size()) expected = 0;
    uint32_t candidate = children[expected++];
    if (paths[candidate].name == name) return candidate;
  }
  std::string key((const char *)&parent, sizeof parent);
  key += name;
  auto [place, isNew] = known.try_emplace(std::move(key), (uint32_t)paths.size());
  if (!isNew) {
    expected = paths[place->second].position + 1;
    return place->second;
  }
  uint32_t created = (uint32_t)paths.size();
  children.push_back(created);
  expected = children.size();
  size_t position = children.size() - 1;
  paths.push_back(Path{std::string(name), parent, {}});
  paths.back().position = position;
  paths.back().plain =
      std::all_of(name.begin(), name.end(), [](unsigned char c) { return c >= 0x20 && c != '"' && c != '\\'; });
  return created;
}

bool csj_reader::readElements(const char *text, size_t length) {
  fields.clear();
  problem = {};
  padded.reserve(length + SIMDJSON_PADDING);
  padded.assign(text, length);
  ondemand::document document;
  if (auto error = parser.iterate(padded.data(), length, padded.capacity()).get(document)) return fail(error);
  ondemand::json_type type;
  if (auto error = document.type().get(type)) return fail(error);
  if (type == ondemand::json_type::array) {
    ondemand::array array;
    if (auto error = document.get_array().get(array)) return fail(error);
    for (auto each : array) {
      ondemand::value content;
      if (auto error = each.get(content)) return fail(error);
      if (!element(content)) return false;
    }
  } else {
    ondemand::object object;
    if (auto error = document.get_object().get(object)) return fail(error);
    for (auto member : object) {
      std::string_view name;
      ondemand::value content;
      if (auto error = member.unescaped_key().get(name)) return fail(error);
      if (auto error = member.value().get(content)) return fail(error);
      fields.push_back(csj_field{0, csj_string, {0}, name.data(), name.size()});
      if (!element(content)) return false;
    }
  }
  const char *following = nullptr;
  return document.current_location().get(following) ? true : fail(TRAILING_CONTENT);
}

bool csj_reader::element(ondemand::value content) {
  ondemand::json_type type;
  if (auto error = content.type().get(type)) return fail(error);
  switch (type) {
    case ondemand::json_type::object: {
      ondemand::object object;
      std::string_view text;
      if (auto error = content.get_object().get(object)) return fail(error);
      if (auto error = object.raw_json().get(text)) return fail(error);
      fields.push_back(csj_field{0, csj_object, {0}, text.data(), text.size()});
      return true;
    }
    case ondemand::json_type::array:
      fields.push_back(csj_field{0, csj_array, {0}, nullptr, 0});
      return true;
    default: return value(content, 0, 1);
  }
}

size_t csj_padding(void) { return SIMDJSON_PADDING; }

csj_reader *csj_reader_create(void) { return new (std::nothrow) csj_reader(); }

void csj_reader_destroy(csj_reader *reader) { delete reader; }

bool csj_read(csj_reader *reader, const char *text, size_t length) {
  try {
    return reader->read(text, length);
  } catch (const std::bad_alloc &) {
    reader->problem = {"too large", 0};
    return false;
  }
}

void csj_keep_whole(csj_reader *reader, size_t path) {
  if (path < reader->paths.size()) reader->paths[path].whole = true;
}

bool csj_read_elements(csj_reader *reader, const char *text, size_t length) {
  try {
    return reader->readElements(text, length);
  } catch (const std::bad_alloc &) {
    reader->problem = {"too large", 0};
    return false;
  }
}

const csj_field *csj_fields(const csj_reader *reader, size_t *count) {
  *count = reader->fields.size();
  return reader->fields.data();
}

const char *csj_problem(const csj_reader *reader, size_t *offset) {
  *offset = reader->problem.offset;
  return reader->problem.message ? reader->problem.message : "not JSON";
}

size_t csj_path_count(const csj_reader *reader) { return reader->paths.size(); }

const char *csj_path_name(const csj_reader *reader, size_t path, size_t *length) {
  if (path >= reader->paths.size()) {
    *length = 0;
    return "";
  }
  *length = reader->paths[path].name.size();
  return reader->paths[path].name.data();
}

int64_t csj_path_parent(const csj_reader *reader, size_t path) {
  if (path >= reader->paths.size() || reader->paths[path].parent == noPath) return -1;
  return reader->paths[path].parent;
}

int64_t csj_numbers(const char *text, size_t length, double *numbers, size_t capacity) {
  auto isSpace = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  size_t at = 0;
  auto skip = [&] { while (at < length && isSpace(text[at])) at++; };
  skip();
  if (at >= length || text[at++] != '[') return -1;
  int64_t count = 0;
  skip();
  if (at < length && text[at] == ']') return 0;
  for (;;) {
    skip();
    char digits[64];
    size_t used = 0;
    while (at < length && used < sizeof digits - 1 && (isdigit((unsigned char)text[at]) || strchr("+-.eE", text[at])))
      digits[used++] = text[at++];
    digits[used] = 0;
    char *end = nullptr;
    double number = strtod(digits, &end);
    if (used == 0 || *end) return -1;
    if ((size_t)count < capacity) numbers[count] = number;
    count++;
    skip();
    if (at >= length) return -1;
    if (text[at] == ']') return count;
    if (text[at++] != ',') return -1;
  }
}

csj_span csj_value_end(const char *text, size_t length, size_t *end) {
  // One bit a level says whether it is an object, so that `[}` is seen at once.
  std::vector<bool> levels;
  size_t at = 0;
  while (at < length) {
    char c = text[at];
    switch (c) {
      case '"':
        at++;
        while (at < length && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
        if (at >= length) return csj_incomplete;
        at++;
        break;
      case '{':
      case '[':
        levels.push_back(c == '{');
        at++;
        continue;
      case '}':
      case ']':
        if (levels.empty() && at > 0) {  // a bare word or number, ended by the bracket of what is around it
          *end = at;
          return csj_complete;
        }
        if (levels.empty() || levels.back() != (c == '}')) {
          *end = at;
          return csj_unbalanced;
        }
        levels.pop_back();
        at++;
        break;
      case ' ':
      case '\t':
      case '\r':
      case '\n':
      case ',':
        if (levels.empty()) {
          *end = at;
          return csj_complete;
        }
        at++;
        continue;
      default:
        at++;
        continue;
    }
    if (levels.empty()) {
      *end = at;
      return csj_complete;
    }
  }
  return csj_incomplete;
}

size_t csj_count_lines(const char *text, size_t length) { return (size_t)std::count(text, text + length, '\n'); }

bool csj_is_utf8(const char *text, size_t length) { return simdjson::validate_utf8(text, length); }
