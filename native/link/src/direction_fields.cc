#include "direction_fields.h"

#include "fields.h"

namespace mpd::link {

namespace {

constexpr std::uint64_t kMinRateBps = 1'000;
constexpr std::uint64_t kMaxQueueBytes = 1'000'000'000;
constexpr std::uint64_t kMaxQueuePackets = 10'000'000;
/// A year.
constexpr std::uint64_t kMaxScheduleUs = 31'536'000'000'000;
constexpr TimeNs kUs = 1'000;

bool parseFlag(std::string_view field, std::string_view text) {
  return parseInteger(field, text, 0, 1) == 1;
}

/// A ratio, or `ge:GOOD_TO_BAD:BAD_TO_GOOD[:LOSS_BAD[:LOSS_GOOD]]`.
LossConfig parseLoss(std::string_view field, std::string_view text) {
  const auto parts = split(text, ':');
  if (parts[0] != "ge") return LossConfig::independent(parseRatio(field, text));
  if (parts.size() < 3 || parts.size() > 5) {
    throw CommandError(std::string(field), "needs ge:P:R[:LOSS_BAD[:LOSS_GOOD]], not " + quoted(text));
  }
  LossConfig loss{.hasBursts = true};
  loss.goodToBad = parseRatio(field, parts[1]);
  loss.badToGood = parseRatio(field, parts[2]);
  if (parts.size() > 3) loss.bad = parseRatio(field, parts[3]);
  if (parts.size() > 4) loss.good = parseRatio(field, parts[4]);
  return loss;
}

/// `-`, or `uniform:US[:reorder]`, or `normal:US[:reorder]`.
JitterConfig parseJitter(std::string_view field, std::string_view text) {
  if (text == "-") return {};
  const auto parts = split(text, ':');
  const bool isNormal = parts[0] == "normal";
  const bool good = (isNormal || parts[0] == "uniform") && (parts.size() == 2 || parts.size() == 3) &&
                    (parts.size() == 2 || parts[2] == "reorder");
  if (!good) {
    throw CommandError(std::string(field),
                       "needs - or uniform:US or normal:US, with :reorder or without, not " + quoted(text));
  }
  return {isNormal ? JitterConfig::Shape::kNormal : JitterConfig::Shape::kUniform,
          parseInteger(field, parts[1], 0, kMaxDelayUs) * kUs, parts.size() == 3};
}

/// `-`, or `AT+DURATION[,AT+DURATION...][/PERIOD]` in microseconds.
OutageSchedule parseOutages(std::string_view field, std::string_view text) {
  if (text == "-") return {};
  const auto halves = split(text, '/');
  if (halves.size() > 2) throw CommandError(std::string(field), "has more than one period");
  std::vector<Outage> outages;
  TimeNs endNs = 0;
  for (const std::string_view part : split(halves[0], ',')) {
    const auto numbers = split(part, '+');
    if (numbers.size() != 2) {
      throw CommandError(std::string(field), "needs AT+DURATION in microseconds, not " + quoted(part));
    }
    const Outage outage{parseInteger(field, numbers[0], 0, kMaxScheduleUs) * kUs,
                        parseInteger(field, numbers[1], 1, kMaxScheduleUs) * kUs};
    if (outage.atNs < endNs) {
      throw CommandError(std::string(field), "is not in order of time at " + quoted(part));
    }
    endNs = outage.atNs + outage.durationNs;
    outages.push_back(outage);
  }
  if (halves.size() == 1) return {std::move(outages), 0};
  const TimeNs periodNs = parseInteger(field, halves[1], 1, kMaxScheduleUs) * kUs;
  if (periodNs < endNs) throw CommandError(std::string(field), "has a period that ends before an outage");
  return {std::move(outages), periodNs};
}

/// `-`, or `NAME[:once]`.
TraceChoice parseTrace(std::string_view field, std::string_view text) {
  if (text == "-") return {};
  const auto parts = split(text, ':');
  if (parts.size() > 2 || (parts.size() == 2 && parts[1] != "once")) {
    throw CommandError(std::string(field), "needs - or NAME or NAME:once, not " + quoted(text));
  }
  return {parseName(field, parts[0]), parts.size() == 1};
}

/// `-`, or an address.
std::optional<NatAddress> parseNat(std::string_view field, std::string_view text) {
  if (text == "-") return std::nullopt;
  if (const auto address = NatAddress::parse(text)) return address;
  throw CommandError(std::string(field), "needs - or an IPv4 or IPv6 address, not " + quoted(text));
}

QueueKind parseKind(std::string_view field, std::string_view text) {
  if (const auto kind = queueKindOf(text)) return *kind;
  std::string names;
  for (const QueueDiscipline& discipline : kQueueDisciplines) {
    names += (names.empty() ? "" : ", ") + std::string(discipline.name);
  }
  throw CommandError(std::string(field), "knows " + names + ", not " + quoted(text));
}

bool readChange(DirectionChange& change, std::string_view key, const Pair& pair) {
  if (key == "rate") {
    change.rateBps =
        pair.value == "-" ? kUnlimitedBps : parseInteger(pair.key, pair.value, kMinRateBps, kMaxRateBps);
  } else if (key == "delay_us") {
    change.delayNs = parseInteger(pair.key, pair.value, 0, kMaxDelayUs) * kUs;
  } else if (key == "loss") {
    change.loss = parseLoss(pair.key, pair.value);
  } else if (key == "jitter") {
    change.jitter = parseJitter(pair.key, pair.value);
  } else if (key == "outages") {
    change.outages = parseOutages(pair.key, pair.value);
  } else if (key == "trace") {
    change.trace = parseTrace(pair.key, pair.value);
  } else {
    return false;
  }
  return true;
}

double parseSetting(const QueueSettingRow& row, const Pair& pair) {
  if (row.kind == SettingKind::kRatio) return parseRatio(pair.key, pair.value);
  const std::uint64_t value = parseInteger(pair.key, pair.value, row.min, row.max);
  return static_cast<double>(row.kind == SettingKind::kTime ? value * kUs : value);
}

bool readQueue(QueueConfig& queue, std::string_view key, const Pair& pair) {
  if (key == "queue") {
    queue.kind = parseKind(pair.key, pair.value);
  } else if (key == "queue_bytes") {
    queue.limitBytes = parseInteger(pair.key, pair.value, 1, kMaxQueueBytes);
  } else if (key == "queue_packets") {
    queue.limitPackets = parseInteger(pair.key, pair.value, 1, kMaxQueuePackets);
  } else {
    for (const QueueSettingRow& row : kQueueSettings) {
      if (key != row.argument) continue;
      queue.set(row.setting, parseSetting(row, pair));
      return true;
    }
    return false;
  }
  return true;
}

}  // namespace

DirectedKey splitDirection(std::string_view key) {
  if (key.ends_with(".ab")) return {key.substr(0, key.size() - 3), {true, false}};
  if (key.ends_with(".ba")) return {key.substr(0, key.size() - 3), {false, true}};
  return {key, {true, true}};
}

bool applyChange(DirectionChange (&changes)[2], const Pair& pair) {
  const DirectedKey directed = splitDirection(pair.key);
  bool known = false;
  for (int i = 0; i < 2; i += 1) {
    if (directed.forDirection[i]) known = readChange(changes[i], directed.key, pair);
  }
  return known;
}

bool applyMiddlebox(MiddleboxChange& change, const Pair& pair) {
  if (pair.key == "strip_mp_capable") {
    change.stripMpCapable = parseFlag(pair.key, pair.value);
  } else if (pair.key == "strip_mp_join") {
    change.stripMpJoin = parseFlag(pair.key, pair.value);
  } else if (pair.key == "drop_add_addr") {
    change.dropAddAddr = parseFlag(pair.key, pair.value);
  } else if (pair.key == "nat") {
    change.nat.emplace(parseNat(pair.key, pair.value));
  } else if (pair.key == "reset_after_bytes") {
    change.resetAfterBytes.emplace();
    if (pair.value != "-") *change.resetAfterBytes = parseInteger(pair.key, pair.value, 1, UINT64_MAX);
  } else {
    return false;
  }
  return true;
}

bool applyQueue(DirectionConfig (&directions)[2], const Pair& pair) {
  const DirectedKey directed = splitDirection(pair.key);
  bool known = false;
  for (int i = 0; i < 2; i += 1) {
    if (directed.forDirection[i]) known = readQueue(directions[i].queue, directed.key, pair);
  }
  return known;
}

}  // namespace mpd::link
