#include "request.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "../../addon/address.h"

namespace mpd::helper {
namespace {

constexpr size_t kMaxWords = 10;
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

bool readId(std::string_view word, uint8_t& out) {
  uint32_t id = 0;
  if (!readNumber(word, 255, id)) return false;
  out = static_cast<uint8_t>(id);
  return true;
}

bool readSwitch(std::string_view word, bool& out) {
  out = word == "on";
  return out || word == "off";
}

bool readAddress(std::string_view word, Endpoint& out) {
  if (word.size() > kMaxAddress) return false;
  const auto address = parseAddress(std::string(word), 0);
  if (!address) return false;
  out = *address;
  return true;
}

/** An address of a single host, not "any". */
bool readHost(std::string_view word, Endpoint& out) {
  return readAddress(word, out) && std::ranges::any_of(out.address, [](uint8_t byte) { return byte != 0; });
}

/** An end of an existing subflow. */
bool readEnd(std::string_view address, std::string_view port, Endpoint& out) {
  uint32_t number = 0;
  if (!readHost(address, out) || !readNumber(port, UINT16_MAX, number) || number == 0) return false;
  out.port = static_cast<uint16_t>(number);
  return true;
}

using Arguments = std::span<const std::string_view>;

bool readNothing(Arguments words, Request&) {
  return words.empty();
}
bool readRemove(Arguments words, Request& out) {
  return words.size() == 2 && readId(words[0], out.id) && readAddress(words[1], out.address);
}
bool readBackup(Arguments words, Request& out) {
  return words.size() == 3 && readRemove(words.first(2), out) && out.id != 0 && readSwitch(words[2], out.on);
}
bool readAdd(Arguments words, Request& out) {
  return words.size() == 4 && readRemove(words.first(2), out) && out.id != 0 &&
         readNumber(words[2], INT32_MAX, out.interfaceIndex) && readNumber(words[3], kAllFlags, out.flags);
}
bool readAddressRemove(Arguments words, Request& out) {
  return words.size() == 2 && readNumber(words[0], UINT32_MAX, out.token) && readId(words[1], out.id);
}
bool readSubflow(Arguments words, Request& out) {
  return words.size() == 5 && readNumber(words[0], UINT32_MAX, out.token) &&
         readEnd(words[1], words[2], out.address) && readEnd(words[3], words[4], out.remote) &&
         out.address.v6 == out.remote.v6;
}
bool readSubflowBackup(Arguments words, Request& out) {
  return words.size() == 6 && readSubflow(words.first(5), out) && readSwitch(words[5], out.on);
}
bool readSubflowCreate(Arguments words, Request& out) {
  // The kernel chooses the local port.
  return words.size() == 8 && readNumber(words[0], UINT32_MAX, out.token) && readId(words[1], out.id) &&
         out.id != 0 && readHost(words[2], out.address) &&
         readNumber(words[3], INT32_MAX, out.interfaceIndex) && readId(words[4], out.remoteId) &&
         readEnd(words[5], words[6], out.remote) && out.address.v6 == out.remote.v6 &&
         readSwitch(words[7], out.on);
}

struct Form {
  std::string_view name;
  Verb verb;
  bool (*read)(Arguments, Request&);
};

constexpr Form kForms[] = {
    {"list", Verb::kList, readNothing},
    {"restore", Verb::kRestore, readNothing},
    {"backup", Verb::kBackup, readBackup},
    {"remove", Verb::kRemove, readRemove},
    {"add", Verb::kAdd, readAdd},
    {"connections", Verb::kConnections, readNothing},
    {"events", Verb::kEvents, readNothing},
    {"address-remove", Verb::kAddressRemove, readAddressRemove},
    {"subflow-create", Verb::kSubflowCreate, readSubflowCreate},
    {"subflow-destroy", Verb::kSubflowDestroy, readSubflow},
    {"subflow-backup", Verb::kSubflowBackup, readSubflowBackup},
};

}  // namespace

std::optional<Request> parseRequest(std::string_view line) {
  // A zero byte would end the address early for the C library.
  if (line.size() > kMaxLine || line.find('\0') != std::string_view::npos) return std::nullopt;
  const auto words = split(line);
  Request request;
  if (!words || words->count < 2 || !readNumber(words->word[0], UINT32_MAX, request.sequence)) {
    return std::nullopt;
  }
  const auto form = std::ranges::find(kForms, words->word[1], &Form::name);
  if (form == std::end(kForms)) return std::nullopt;
  request.verb = form->verb;
  const Arguments all(words->word);
  return form->read(all.subspan(2, words->count - 2), request) ? std::optional(request) : std::nullopt;
}

}  // namespace mpd::helper
