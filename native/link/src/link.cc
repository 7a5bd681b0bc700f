#include "link.h"

#include <cstring>
#include <ctime>

#include "queue_config.h"

namespace mpd::link {

namespace {

/// Packets read from one device before the other devices are served.
constexpr int kReadBatch = 64;
/// The same limit in bytes, for super-packets.
constexpr int kReadBatchBytes = 262'144;
/// Separates the loss sequences of the two directions.
constexpr std::uint64_t kReverseSeed = 0x5851f42d4c957f2d;

/// Separates the draws of a queue from those of the wire behind it.
constexpr std::uint64_t kQueueSeed = 0x9fb21c651e98df25;

LinkDirection makeDirection(const DirectionConfig& config, std::uint32_t mtu, std::uint64_t seed) {
  return {makeQueue(config.queue, mtu, seed ^ kQueueSeed), config.settings, seed};
}

std::string_view stateName(LinkState state) {
  if (state == LinkState::kUp) return "up";
  return state == LinkState::kDown ? "down" : "blackhole";
}

}  // namespace

TimeNs monotonicNowNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<TimeNs>(now.tv_sec) * kSecond + static_cast<TimeNs>(now.tv_nsec);
}

Link::Link(const LinkConfig& config)
    : name_(config.name),
      tuns_{TunDevice(config.ends[0], config.mtu, 'a'), TunDevice(config.ends[1], config.mtu, 'b')},
      directions_{makeDirection(config.directions[0], config.mtu, config.seed),
                  makeDirection(config.directions[1], config.mtu, config.seed ^ kReverseSeed)} {
  for (int i = 0; i < 2; i += 1) {
    directions_[i].setWaited([this, i](TimeNs waitedNs) {
      for (Interval& interval : intervals_[i]) interval.waited.add(waitedNs);
    });
  }
}

bool Link::readFrom(int end, std::span<std::uint8_t> buffer, SequenceRecorder* recorder) {
  int readBytes = 0;
  for (int i = 0; i < kReadBatch && readBytes < kReadBatchBytes; i += 1) {
    Offload offload;
    const int size = tuns_[end].read(buffer, offload);
    if (size < 0) return false;
    if (size == 0) return true;
    readBytes += size;
    const TimeNs nowNs = monotonicNowNs();
    const auto forward = [&](int direction, Packet packet) {
      directions_[direction].arrive(std::move(packet), nowNs);
    };
    splitSuperPacket(buffer.first(static_cast<std::size_t>(size)), offload, [&](Packet packet) {
      if (recorder != nullptr) recorder->entered(name_, end, packet, nowNs);
      middlebox_.pass(end, std::move(packet), nowNs, forward);
    });
  }
  return true;
}

void Link::advance(TimeNs nowNs, SequenceRecorder* recorder) {
  for (int i = 0; i < 2; i += 1) {
    directions_[i].advance(nowNs, [this, i, recorder](Packet& packet, TimeNs dueNs) {
      const TimeNs leftNs = monotonicNowNs();
      const TimeNs lateNs = leftNs - dueNs;
      if (recorder != nullptr) recorder->left(name_, i, packet, leftNs);
      for (Interval& interval : intervals_[i]) interval.late.add(lateNs);
      if (mergers_[i].take(packet)) return;
      flush(i);
      mergers_[i].take(packet);
    });
    flush(i);
  }
}

void Link::flush(int index) {
  PacketMerger& merged = mergers_[index];
  if (merged.empty()) return;
  if (tuns_[1 - index].write(merged) != 0) writeErrors_[index] += merged.size();
  merged.clear();
}

TimeNs Link::nextEventNs() const {
  return std::min(directions_[0].nextEventNs(), directions_[1].nextEventNs());
}

void Link::apply(const SetLink& set, const std::shared_ptr<const RateTrace> (&traces)[2], TimeNs nowNs) {
  if (set.state) {
    for (const TunDevice& tun : tuns_) {
      const int result = tun.setCarrier(*set.state != LinkState::kDown);
      if (result != 0) throw CommandError("state", std::strerror(-result));
    }
    state_ = *set.state;
  }
  middlebox_.apply(set.middlebox);
  for (int i = 0; i < 2; i += 1) {
    if (set.state) directions_[i].setState(*set.state, nowNs);
    applyDirection(i, set.changes[i], traces[i], nowNs);
  }
}

void Link::applyDirection(int index, const DirectionChange& change,
                          const std::shared_ptr<const RateTrace>& trace, TimeNs nowNs) {
  LinkDirection& direction = directions_[index];
  if (change.rateBps) direction.setRate(*change.rateBps, nowNs);
  if (change.delayNs) direction.setDelayNs(*change.delayNs, nowNs);
  if (change.loss) direction.setLoss(*change.loss, nowNs);
  if (change.jitter) direction.setJitter(*change.jitter, nowNs);
  if (change.outages) direction.setOutages(*change.outages, nowNs);
  if (!change.trace) return;
  if (trace) {
    direction.setTrace(trace, change.trace->loops, nowNs);
  } else {
    direction.endTrace(nowNs);
  }
}

void Link::report(JsonLine& json, Audience audience) {
  json.open("").text("name", name_).text("state", stateName(state_));
  reportDirection(json, 0, audience);
  reportDirection(json, 1, audience);
  if (middlebox_.wasActive()) reportMiddlebox(json);
  json.close();
}

void Link::reportMiddlebox(JsonLine& json) const {
  const MiddleboxStats& stats = middlebox_.stats();
  json.open("middlebox")
      .number("mpCapableStripped", stats.mpCapableStripped)
      .number("mpJoinStripped", stats.mpJoinStripped)
      .number("addAddrDropped", stats.addAddrDropped)
      .number("natRewritten", stats.natRewritten)
      .number("natDrops", stats.natDrops)
      .number("natMappings", middlebox_.natMappings())
      .number("resets", stats.resets)
      .close();
}

void Link::reportDirection(JsonLine& json, int index, Audience audience) {
  const LinkDirection& direction = directions_[index];
  const DirectionStats& stats = direction.stats();
  const PacketQueue& queue = direction.queue();
  Interval& interval = intervals_[index][static_cast<int>(audience)];
  json.open(index == 0 ? "ab" : "ba");
  if (direction.rateBps() == kUnlimitedBps) {
    json.null("rateBps");
  } else {
    json.number("rateBps", direction.rateBps());
  }
  json.number("delayUs", direction.delayNs() / 1'000)
      .ratio("lossRatio", direction.loss().meanRatio())
      .boolean("isOut", direction.isOut())
      .text("queue", queue.name())
      .number("queueBytes", queue.sizeBytes())
      .number("queuePackets", queue.sizePackets())
      .number("queueDelayMeanUs", interval.waited.meanNs() / 1'000)
      .number("queueDelayP99Us", interval.waited.quantileNs(0.99) / 1'000)
      .number("queueDelayMaxUs", interval.waited.maxNs() / 1'000)
      .ratio("dropProbability", queue.dropProbability())
      .number("inPackets", stats.inPackets)
      .number("inBytes", stats.inBytes)
      .number("outPackets", stats.outPackets)
      .number("outBytes", stats.outBytes)
      .number("queueDrops", stats.queueDrops)
      .number("queueMarks", queue.marks())
      .number("lossDrops", stats.lossDrops)
      .number("stateDrops", stats.stateDrops)
      .number("writeErrors", writeErrors_[index])
      .number("lateMeanUs", interval.late.meanNs() / 1'000)
      .number("lateP50Us", interval.late.quantileNs(0.5) / 1'000)
      .number("lateP99Us", interval.late.quantileNs(0.99) / 1'000)
      .number("lateMaxUs", interval.late.maxNs() / 1'000)
      .close();
  interval = {};
}

}  // namespace mpd::link
