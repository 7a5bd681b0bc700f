#include "command.h"

#include <set>

#include "direction_fields.h"
#include "fields.h"

namespace mpd::link {

namespace {

constexpr std::uint64_t kMinMtu = 576;
constexpr std::uint64_t kMaxMtu = 65'535;
constexpr std::uint64_t kMinStepUs = 100;
/// A month.
constexpr std::uint64_t kMaxStepUs = 2'592'000'000'000;

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

/// The `key=value` words of one command. Each key may occur once.
Pair splitPair(std::string_view word, std::set<std::string_view>& seen) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw CommandError(std::string(word), "is not key=value");
  }
  const Pair pair{word.substr(0, equals), word.substr(equals + 1)};
  if (!seen.insert(pair.key).second) throw CommandError(std::string(pair.key), "is given twice");
  return pair;
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
  if (pair.key == "seed") {
    config.seed = parseInteger("seed", pair.value, 0, UINT64_MAX);
  } else if (pair.key == "mtu") {
    config.mtu = static_cast<std::uint32_t>(parseInteger("mtu", pair.value, kMinMtu, kMaxMtu));
  } else {
    return applyQueue(config.directions, pair);
  }
  return true;
}

void requireWhole(AddLink& add) {
  LinkConfig& config = add.config;
  for (int i = 0; i < 2; i += 1) {
    const char* const end = i == 0 ? "a.dev" : "b.dev";
    if (config.ends[i].device.empty()) throw CommandError(end, "is missing");
    const DirectionChange& change = add.start.changes[i];
    const bool hasTrace = change.trace && !change.trace->name.empty();
    if (!change.rateBps && !hasTrace) throw CommandError("rate", "is missing");
    if (change.rateBps && hasTrace) throw CommandError("rate", "is given twice, as a trace too");
    DirectionSettings& settings = config.directions[i].settings;
    settings.rateBps = change.rateBps.value_or(0);
    settings.delayNs = change.delayNs.value_or(0);
    settings.loss = change.loss.value_or(LossConfig{});
    settings.jitter = change.jitter.value_or(JitterConfig{});
    const auto& limitBytes = config.directions[i].queue.limitBytes;
    if (limitBytes && *limitBytes < config.mtu) {
      throw CommandError("queue_bytes", "is " + std::to_string(*limitBytes) +
                                            ", less than one packet of the mtu of " +
                                            std::to_string(config.mtu));
    }
  }
}

AddLink parseAdd(const std::vector<std::string_view>& words) {
  AddLink add;
  LinkConfig& config = add.config;
  config.name = parseName("name", words[1]);
  add.start.name = config.name;
  std::set<std::string_view> seen;
  for (std::size_t i = 2; i < words.size(); i += 1) {
    const Pair pair = splitPair(words[i], seen);
    const bool isA = pair.key.starts_with("a.");
    const bool isEnd = isA || pair.key.starts_with("b.");
    const bool known = isEnd ? applyEnd(config.ends[isA ? 0 : 1], pair.key, pair.key.substr(2), pair.value)
                             : applyChange(add.start.changes, pair) ||
                                   applyMiddlebox(add.start.middlebox, pair) || applyWhole(config, pair);
    if (!known) throw CommandError(std::string(pair.key), "is not a field of a link");
  }
  requireWhole(add);
  return add;
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
    if (!applyChange(set.changes, pair) && !applyMiddlebox(set.middlebox, pair)) {
      throw CommandError(std::string(pair.key), "cannot be changed on a running link");
    }
  }
  return set;
}

AppendTrace parseAppend(const std::vector<std::string_view>& words) {
  AppendTrace append{parseName("name", words[1]), {}};
  if (words.size() < 3) throw CommandError("step", "is missing");
  for (std::size_t i = 2; i < words.size(); i += 1) {
    const auto numbers = split(words[i], ':');
    if (numbers.size() < 2 || numbers.size() > 3) {
      throw CommandError("step", "needs DURATION_US:RATE_BPS[:DELAY_US], not " + quoted(words[i]));
    }
    TraceStep step{parseInteger("step", numbers[0], kMinStepUs, kMaxStepUs) * 1'000,
                   parseInteger("step", numbers[1], 0, kMaxRateBps), std::nullopt};
    if (numbers.size() == 3) step.delayNs = parseInteger("step", numbers[2], 0, kMaxDelayUs) * 1'000;
    append.steps.push_back(step);
  }
  return append;
}

}  // namespace

Command parseCommand(std::string_view line) {
  const std::vector<std::string_view> words = splitWords(line);
  if (words.empty()) throw CommandError("command", "is empty");
  const std::string_view verb = words[0];
  const bool isNamed = verb == "link" || verb == "set" || verb == "trace";
  if (isNamed && words.size() < 2) throw CommandError("name", "is missing");
  if (verb == "link") return parseAdd(words);
  if (verb == "set") return parseSet(words);
  if (verb == "trace") return parseAppend(words);
  if (verb == "stats" && words.size() == 1) return ShowStats{};
  if (verb == "stats_interval_ms" && words.size() == 2) {
    return SetStatsInterval{parseInteger("stats_interval_ms", words[1], 0, 3'600'000)};
  }
  if (verb == "record" && words.size() == 2) {
    return RecordSequence{words[1] == "-" ? std::string() : std::string(words[1])};
  }
  throw CommandError("command", "needs link, set, trace, stats, stats_interval_ms N or record FILE, not " +
                                    quoted(line.substr(0, 80)));
}

}  // namespace mpd::link
