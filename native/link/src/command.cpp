#include "command.hpp"

#include <arpa/inet.h>
#include <net/if.h>

#include <charconv>
#include <cmath>
#include <set>
#include <vector>

namespace mpd::link {

namespace {

constexpr std::uint64_t kMinRateBps = 1'000;
constexpr std::uint64_t kMaxRateBps = 100'000'000'000;
constexpr std::uint64_t kMaxDelayUs = 10'000'000;
constexpr std::uint64_t kMaxQueueBytes = 1'000'000'000;
constexpr std::uint64_t kMinMtu = 576;
constexpr std::uint64_t kMaxMtu = 65'535;
constexpr std::size_t kMaxNameLength = 64;
constexpr std::size_t kMaxPathLength = 4'095;

std::vector<std::string_view> splitWords(std::string_view line) {
  std::vector<std::string_view> words;
  std::size_t at = 0;
  while (at < line.size()) {
    const std::size_t start = line.find_first_not_of(" \t\r", at);
    if (start == std::string_view::npos) break;
    const std::size_t end = std::min(line.find_first_of(" \t\r", start), line.size());
    words.push_back(line.substr(start, end - start));
    at = end;
  }
  return words;
}

std::string quoted(std::string_view text) {
  return "\"" + std::string(text) + "\"";
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

/// `key=value` words of one command. Each key may come once.
struct Pair {
  std::string_view key;
  std::string_view value;
};

Pair splitPair(std::string_view word, std::set<std::string_view>& seen) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw CommandError(std::string(word), "is not key=value");
  }
  const Pair pair{word.substr(0, equals), word.substr(equals + 1)};
  if (!seen.insert(pair.key).second) throw CommandError(std::string(pair.key), "is given twice");
  return pair;
}

/// Splits `rate.ab` into `rate` and the directions it is for: none, `.ab` or `.ba`.
struct DirectedKey {
  std::string_view key;
  bool forDirection[2];
};

DirectedKey splitDirection(std::string_view key) {
  if (key.ends_with(".ab")) return {key.substr(0, key.size() - 3), {true, false}};
  if (key.ends_with(".ba")) return {key.substr(0, key.size() - 3), {false, true}};
  return {key, {true, true}};
}

bool applyChange(DirectionChange (&changes)[2], const Pair& pair) {
  const DirectedKey directed = splitDirection(pair.key);
  DirectionChange parsed;
  if (directed.key == "rate") {
    parsed.rateBps = parseInteger(pair.key, pair.value, kMinRateBps, kMaxRateBps);
  } else if (directed.key == "delay_us") {
    parsed.delayNs = parseInteger(pair.key, pair.value, 0, kMaxDelayUs) * 1'000;
  } else if (directed.key == "loss") {
    parsed.loss = parseRatio(pair.key, pair.value);
  } else {
    return false;
  }
  for (int i = 0; i < 2; i += 1) {
    if (!directed.forDirection[i]) continue;
    if (parsed.rateBps) changes[i].rateBps = parsed.rateBps;
    if (parsed.delayNs) changes[i].delayNs = parsed.delayNs;
    if (parsed.loss) changes[i].loss = parsed.loss;
  }
  return true;
}

bool applyEnd(EndConfig& end, std::string_view field, std::string_view key, std::string_view value) {
  if (key == "netns") {
    end.netns = parseNetns(field, value);
  } else if (key == "dev") {
    end.device = parseDevice(field, value);
  } else if (key == "addr") {
    end.address = parseAddress(field, value);
  } else {
    return false;
  }
  return true;
}

bool applyWhole(LinkConfig& config, const Pair& pair) {
  const DirectedKey directed = splitDirection(pair.key);
  if (pair.key == "queue") {
    if (pair.value != "droptail") {
      throw CommandError("queue", "knows only droptail, not " + quoted(pair.value));
    }
  } else if (directed.key == "queue_bytes") {
    const std::uint64_t bytes = parseInteger(pair.key, pair.value, 1, kMaxQueueBytes);
    for (int i = 0; i < 2; i += 1) {
      if (directed.forDirection[i]) config.directions[i].queueBytes = bytes;
    }
  } else if (pair.key == "seed") {
    config.seed = parseInteger("seed", pair.value, 0, UINT64_MAX);
  } else if (pair.key == "mtu") {
    config.mtu = static_cast<std::uint32_t>(parseInteger("mtu", pair.value, kMinMtu, kMaxMtu));
  } else {
    return false;
  }
  return true;
}

void requireWhole(LinkConfig& config, const DirectionChange (&changes)[2]) {
  for (int i = 0; i < 2; i += 1) {
    const char* const end = i == 0 ? "a.dev" : "b.dev";
    if (config.ends[i].device.empty()) throw CommandError(end, "is missing");
    if (!changes[i].rateBps) throw CommandError("rate", "is missing");
    DirectionConfig& direction = config.directions[i];
    direction.rateBps = *changes[i].rateBps;
    direction.delayNs = changes[i].delayNs.value_or(0);
    direction.loss = changes[i].loss.value_or(0);
    if (direction.queueBytes < config.mtu) {
      throw CommandError("queue_bytes", "is " + std::to_string(direction.queueBytes) +
                                            ", less than one packet of the mtu of " +
                                            std::to_string(config.mtu));
    }
  }
}

AddLink parseAdd(const std::vector<std::string_view>& words) {
  LinkConfig config;
  config.name = parseName("name", words[1]);
  DirectionChange changes[2];
  std::set<std::string_view> seen;
  for (std::size_t i = 2; i < words.size(); i += 1) {
    const Pair pair = splitPair(words[i], seen);
    const bool isA = pair.key.starts_with("a.");
    const bool isEnd = isA || pair.key.starts_with("b.");
    const bool known = isEnd ? applyEnd(config.ends[isA ? 0 : 1], pair.key, pair.key.substr(2), pair.value)
                             : applyChange(changes, pair) || applyWhole(config, pair);
    if (!known) throw CommandError(std::string(pair.key), "is not a field of a link");
  }
  requireWhole(config, changes);
  return {std::move(config)};
}

SetLink parseSet(const std::vector<std::string_view>& words) {
  SetLink set;
  set.name = parseName("name", words[1]);
  if (words.size() < 3) throw CommandError("set", "changes nothing");
  std::set<std::string_view> seen;
  for (std::size_t i = 2; i < words.size(); i += 1) {
    const std::string_view word = words[i];
    std::optional<LinkState> state;
    if (word == "up") state = LinkState::kUp;
    if (word == "down") state = LinkState::kDown;
    if (word == "blackhole") state = LinkState::kBlackhole;
    if (state) {
      if (set.state) throw CommandError("state", "is given twice");
      set.state = state;
      continue;
    }
    const Pair pair = splitPair(word, seen);
    if (!applyChange(set.changes, pair)) {
      throw CommandError(std::string(pair.key), "cannot be changed on a running link");
    }
  }
  return set;
}

}  // namespace

Command parseCommand(std::string_view line) {
  const std::vector<std::string_view> words = splitWords(line);
  if (words.empty()) throw CommandError("command", "is empty");
  const std::string_view verb = words[0];
  if ((verb == "link" || verb == "set") && words.size() < 2) {
    throw CommandError("name", "is missing");
  }
  if (verb == "link") return parseAdd(words);
  if (verb == "set") return parseSet(words);
  if (verb == "stats" && words.size() == 1) return ShowStats{};
  if (verb == "stats_interval_ms" && words.size() == 2) {
    return SetStatsInterval{parseInteger("stats_interval_ms", words[1], 0, 3'600'000)};
  }
  throw CommandError("command",
                     "needs link, set, stats or stats_interval_ms N, not " + quoted(line.substr(0, 80)));
}

}  // namespace mpd::link
