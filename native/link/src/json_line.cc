#include "json_line.h"

#include <charconv>

namespace mpd::link {

void JsonLine::quote(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  line_ += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      line_ += '\\';
      line_ += c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      // Input may be any bytes; escaping each keeps the output ASCII and valid.
      line_ += "\\u00";
      line_ += kHex[byte >> 4];
      line_ += kHex[byte & 15];
    } else {
      line_ += c;
    }
  }
  line_ += '"';
}

void JsonLine::key(std::string_view key) {
  if (!line_.empty() && line_.back() != '{' && line_.back() != '[') line_ += ',';
  if (key.empty()) return;
  quote(key);
  line_ += ':';
}

JsonLine& JsonLine::open(std::string_view name, char bracket) {
  key(name);
  line_ += bracket;
  return *this;
}

JsonLine& JsonLine::close(char bracket) {
  line_ += bracket;
  return *this;
}

JsonLine& JsonLine::text(std::string_view name, std::string_view value) {
  key(name);
  quote(value);
  return *this;
}

JsonLine& JsonLine::number(std::string_view name, std::uint64_t value) {
  key(name);
  line_ += std::to_string(value);
  return *this;
}

JsonLine& JsonLine::ratio(std::string_view name, double value) {
  key(name);
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  line_.append(buffer, end);
  return *this;
}

JsonLine& JsonLine::null(std::string_view name) {
  key(name);
  line_ += "null";
  return *this;
}

JsonLine& JsonLine::boolean(std::string_view name, bool value) {
  key(name);
  line_ += value ? "true" : "false";
  return *this;
}

}  // namespace mpd::link
