#include "link.hpp"

#include <cstring>
#include <ctime>

#include "droptail_queue.hpp"

namespace mpd::link {

namespace {

/// Packets read from one device before the others get their turn.
constexpr int kReadBatch = 64;
/// Keeps the two directions' loss sequences apart.
constexpr std::uint64_t kReverseSeed = 0x5851f42d4c957f2d;

LinkDirection makeDirection(const DirectionConfig& config, std::uint64_t seed) {
  return {std::make_unique<DroptailQueue>(config.queueBytes), config.rateBps, config.delayNs, config.loss,
          seed};
}

std::string_view stateName(LinkState state) {
  if (state == LinkState::kUp) return "up";
  return state == LinkState::kDown ? "down" : "blackhole";
}

}  // namespace

TimeNs monotonicNowNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<TimeNs>(now.tv_sec) * 1'000'000'000 + static_cast<TimeNs>(now.tv_nsec);
}

void Lateness::add(TimeNs lateNs) {
  packets += 1;
  sumNs += lateNs;
  maxNs = std::max(maxNs, lateNs);
}

Link::Link(const LinkConfig& config)
    : name_(config.name),
      tuns_{TunDevice(config.ends[0], config.mtu, 'a'), TunDevice(config.ends[1], config.mtu, 'b')},
      directions_{makeDirection(config.directions[0], config.seed),
                  makeDirection(config.directions[1], config.seed ^ kReverseSeed)} {}

bool Link::readFrom(int end, std::span<std::uint8_t> buffer) {
  for (int i = 0; i < kReadBatch; i += 1) {
    const int size = tuns_[end].read(buffer);
    if (size < 0) return false;
    if (size == 0) return true;
    Packet packet{std::make_unique_for_overwrite<std::uint8_t[]>(static_cast<std::size_t>(size)),
                  static_cast<std::uint32_t>(size), 0};
    std::memcpy(packet.data.get(), buffer.data(), static_cast<std::size_t>(size));
    directions_[end].arrive(std::move(packet), monotonicNowNs());
  }
  return true;
}

void Link::advance(TimeNs nowNs) {
  for (int i = 0; i < 2; i += 1) {
    directions_[i].advance(nowNs, [this, i](const Packet& packet, TimeNs dueNs) {
      lateness_[i].add(monotonicNowNs() - dueNs);
      if (tuns_[1 - i].write(packet.bytes()) != 0) writeErrors_[i] += 1;
    });
  }
}

TimeNs Link::nextEventNs() const {
  return std::min(directions_[0].nextEventNs(), directions_[1].nextEventNs());
}

void Link::apply(const SetLink& set, TimeNs nowNs) {
  if (set.state) {
    for (const TunDevice& tun : tuns_) {
      const int result = tun.setCarrier(*set.state != LinkState::kDown);
      if (result != 0) throw CommandError("state", std::strerror(-result));
    }
    state_ = *set.state;
  }
  for (int i = 0; i < 2; i += 1) {
    const DirectionChange& change = set.changes[i];
    if (set.state) directions_[i].setState(*set.state, nowNs);
    if (change.rateBps) directions_[i].setRate(*change.rateBps, nowNs);
    if (change.delayNs) directions_[i].setDelayNs(*change.delayNs, nowNs);
    if (change.loss) directions_[i].setLoss(*change.loss, nowNs);
  }
}

void Link::report(JsonLine& json) {
  json.open("").text("name", name_).text("state", stateName(state_));
  reportDirection(json, 0);
  reportDirection(json, 1);
  json.close();
}

void Link::reportDirection(JsonLine& json, int index) {
  const LinkDirection& direction = directions_[index];
  const DirectionStats& stats = direction.stats();
  Lateness& lateness = lateness_[index];
  json.open(index == 0 ? "ab" : "ba")
      .number("rateBps", direction.rateBps())
      .number("delayUs", direction.delayNs() / 1'000)
      .ratio("lossRatio", direction.lossProbability())
      .text("queue", direction.queue().name())
      .number("queueBytes", direction.queue().sizeBytes())
      .number("queuePackets", direction.queue().sizePackets())
      .number("inPackets", stats.inPackets)
      .number("inBytes", stats.inBytes)
      .number("outPackets", stats.outPackets)
      .number("outBytes", stats.outBytes)
      .number("queueDrops", stats.queueDrops)
      .number("lossDrops", stats.lossDrops)
      .number("stateDrops", stats.stateDrops)
      .number("writeErrors", writeErrors_[index])
      .number("lateMeanUs", lateness.packets == 0 ? 0 : lateness.sumNs / lateness.packets / 1'000)
      .number("lateMaxUs", lateness.maxNs / 1'000)
      .close();
  lateness = {};
}

}  // namespace mpd::link
