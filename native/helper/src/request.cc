#include "request.h"

#include <array>
#include <charconv>

#include "../../addon/address.h"

namespace mpd::helper {
namespace {

constexpr size_t kMaxWords = 6;
constexpr size_t kMaxAddress = 45;

struct Words {
  std::array<std::string_view, kMaxWords> word;
  size_t count = 0;
};

std::optional<Words> split(std::string_view line) {
  Words words;
  for (;;) {
    const size_t space = line.find(' ');
    const std::string_view word = line.substr(0, space);
    if (word.empty() || words.count == kMaxWords) return std::nullopt;
    words.word[words.count++] = word;
    if (space == std::string_view::npos) return words;
    line.remove_prefix(space + 1);
  }
}

bool readNumber(std::string_view word, uint32_t maximum, uint32_t& out) {
  if (word.empty() || word.size() > 10 || (word.size() > 1 && word[0] == '0')) return false;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
  return error == std::errc() && end == word.data() + word.size() && out <= maximum;
}

bool readTarget(const Words& words, Request& out) {
  uint32_t id = 0;
  const std::string_view text = words.word[3];
  if (!readNumber(words.word[2], 255, id) || text.size() > kMaxAddress) return false;
  const auto address = parseAddress(std::string(text), 0);
  if (!address) return false;
  out.id = static_cast<uint8_t>(id);
  out.address = *address;
  return true;
}

}  // namespace

std::optional<Request> parseRequest(std::string_view line) {
  // A zero byte would end the address early for the C library.
  if (line.size() > kMaxLine || line.find('\0') != std::string_view::npos) return std::nullopt;
  const auto words = split(line);
  Request request;
  if (!words || words->count < 2 || !readNumber(words->word[0], UINT32_MAX, request.sequence)) {
    return std::nullopt;
  }
  const std::string_view verb = words->word[1];
  if (verb == "list" || verb == "restore") {
    request.verb = verb == "list" ? Verb::kList : Verb::kRestore;
    return words->count == 2 ? std::optional(request) : std::nullopt;
  }
  if (words->count < 4 || !readTarget(*words, request)) return std::nullopt;
  if (verb == "remove" && words->count == 4) {
    request.verb = Verb::kRemove;
    return request;
  }
  if (verb == "backup" && words->count == 5 && request.id != 0) {
    request.verb = Verb::kBackup;
    request.on = words->word[4] == "on";
    return request.on || words->word[4] == "off" ? std::optional(request) : std::nullopt;
  }
  if (verb == "add" && words->count == 6 && request.id != 0 &&
      readNumber(words->word[4], INT32_MAX, request.interfaceIndex) &&
      readNumber(words->word[5], kAllFlags, request.flags)) {
    request.verb = Verb::kAdd;
    return request;
  }
  return std::nullopt;
}

}  // namespace mpd::helper
