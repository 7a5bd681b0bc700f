#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mpd::link {

/// Builds one JSON line; the caller nests with `open` and `close`.
class JsonLine {
 public:
  JsonLine& open(std::string_view key, char bracket = '{');
  JsonLine& close(char bracket = '}');
  JsonLine& text(std::string_view key, std::string_view value);
  JsonLine& number(std::string_view key, std::uint64_t value);
  JsonLine& ratio(std::string_view key, double value);
  JsonLine& null(std::string_view key);
  JsonLine& boolean(std::string_view key, bool value);

  [[nodiscard]] const std::string& str() const { return line_; }

 private:
  void key(std::string_view key);
  void quote(std::string_view text);

  std::string line_;
};

}  // namespace mpd::link
