#include "fields.h"

#include <arpa/inet.h>
#include <net/if.h>

#include <charconv>

namespace mpd::link {

namespace {

constexpr std::size_t kMaxNameLength = 64;
constexpr std::size_t kMaxPathLength = 4'095;

}  // namespace

std::string quoted(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::uint64_t parseInteger(std::string_view field, std::string_view text, std::uint64_t min,
                           std::uint64_t max) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < min || value > max) {
    throw CommandError(std::string(field), "needs a whole number from " + std::to_string(min) + " to " +
                                               std::to_string(max) + ", not " + quoted(text));
  }
  return value;
}

double parseRatio(std::string_view field, std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= 0 && value <= 1)) {
    throw CommandError(std::string(field), "needs a ratio from 0 to 1, not " + quoted(text));
  }
  return value;
}

std::string parseName(std::string_view field, std::string_view text) {
  bool good = !text.empty() && text.size() <= kMaxNameLength;
  for (const char c : text) {
    const bool letterOrDigit = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    good = good && (letterOrDigit || c == '-' || c == '_');
  }
  if (!good) {
    throw CommandError(std::string(field), "needs 1 to 64 letters, digits, '-' or '_', not " + quoted(text));
  }
  return std::string(text);
}

std::string parseDevice(std::string_view field, std::string_view text) {
  const bool good = !text.empty() && text.size() < IFNAMSIZ && text != "." && text != ".." &&
                    text.find_first_of("/:%") == std::string_view::npos;
  if (!good) {
    throw CommandError(std::string(field),
                       "needs an interface name of 1 to 15 characters without "
                       "'/', ':' and '%', not " +
                           quoted(text));
  }
  return std::string(text);
}

std::string parseNetns(std::string_view field, std::string_view text) {
  if (text == "-") return {};
  if (text.size() < 2 || text.front() != '/' || text.size() > kMaxPathLength) {
    throw CommandError(std::string(field),
                       "needs '-' or an absolute path such as "
                       "/run/netns/server, not " +
                           quoted(text));
  }
  return std::string(text);
}

InterfaceAddress parseAddress(std::string_view field, std::string_view text) {
  const std::size_t slash = text.find('/');
  InterfaceAddress address;
  address.text = std::string(text.substr(0, slash));
  unsigned char bytes[16];
  if (inet_pton(AF_INET, address.text.c_str(), bytes) == 1) {
    address.family = AF_INET;
  } else if (inet_pton(AF_INET6, address.text.c_str(), bytes) == 1) {
    address.family = AF_INET6;
  }
  if (address.family == 0 || slash == std::string_view::npos) {
    throw CommandError(std::string(field), "needs ADDRESS/PREFIX such as 10.77.1.2/24, not " + quoted(text));
  }
  address.prefixLength = static_cast<std::uint8_t>(
      parseInteger(field, text.substr(slash + 1), 0, address.family == AF_INET ? 32 : 128));
  return address;
}

}  // namespace mpd::link
