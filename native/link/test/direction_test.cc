#include <vector>

#include "check.h"
#include "droptail_queue.h"
#include "link_direction.h"
#include "packets.h"

using namespace mpd::link;

namespace {

LinkDirection lossyDirection(std::uint64_t rateBps, TimeNs delayNs, double loss = 0,
                             std::uint64_t queueBytes = 1'000'000) {
  const DirectionSettings settings{rateBps, delayNs, LossConfig::independent(loss), {}};
  return {std::make_unique<DroptailQueue>(QueueLimit{.bytes = queueBytes}), settings, 1};
}

struct Delivery {
  int id;
  TimeNs dueNs;
};

std::vector<Delivery> advanceTo(LinkDirection& direction, TimeNs nowNs) {
  std::vector<Delivery> out;
  direction.advance(nowNs, [&](const Packet& packet, TimeNs dueNs) {
    out.push_back({packet.data[0], dueNs});
  });
  return out;
}

}  // namespace

TEST("rate server: n packets take exactly the ideal time whatever the division leaves over") {
  RateServer server(7'000'000);
  TimeNs at = 0;
  for (int i = 0; i < 7'000; i += 1) at = server.finishNs(1'000, at);
  CHECK_EQUAL(at, 8'000 * kMs);
}

TEST("rate server: a change of rate stretches only the bits still to be sent") {
  RateServer server(1'000'000);
  const TimeNs end = server.finishNs(1'250, 0);
  CHECK_EQUAL(end, 10 * kMs);
  CHECK_EQUAL(server.setRate(500'000, 4 * kMs, end), 16 * kMs);
  CHECK_EQUAL(server.setRate(500'000, 4 * kMs, kNever), kNever);
}

TEST("rate server: unlimited takes no time, and a packet in service is done at once") {
  RateServer server(kUnlimitedBps);
  CHECK_EQUAL(server.finishNs(1'500, 5), 5u);
  CHECK_EQUAL(server.setRate(1'000'000, 5, kNever), kNever);
  CHECK_EQUAL(server.finishNs(1'250, 5), 10 * kMs + 5);
  CHECK_EQUAL(server.setRate(kUnlimitedBps, 7, 10 * kMs + 5), 7u);
  CHECK_EQUAL(server.finishNs(1'500, 9), 9u);
}

TEST("a packet leaves after its serialisation and arrives a delay later") {
  LinkDirection direction = lossyDirection(8'000'000, 5 * kMs);
  direction.arrive(makePacket(1'000, 1), 100 * kMs);
  direction.arrive(makePacket(1'000, 2), 100 * kMs);
  CHECK_EQUAL(direction.nextEventNs(), 101 * kMs);
  CHECK(advanceTo(direction, 105 * kMs).empty());
  const auto first = advanceTo(direction, 106 * kMs);
  CHECK_EQUAL(first.size(), 1u);
  CHECK_EQUAL(first[0].dueNs, 106 * kMs);
  const auto second = advanceTo(direction, 107 * kMs);
  CHECK_EQUAL(second.size(), 1u);
  CHECK_EQUAL(second[0].id, 2);
  CHECK_EQUAL(direction.nextEventNs(), kNever);
}

TEST("waking late costs punctuality, not rate") {
  LinkDirection direction = lossyDirection(8'000'000, 0);
  for (int i = 0; i < 100; i += 1) direction.arrive(makePacket(1'000), 0);
  const auto all = advanceTo(direction, 5'000 * kMs);
  CHECK_EQUAL(all.size(), 100u);
  CHECK_EQUAL(all.back().dueNs, 100 * kMs);
}

TEST("an idle link does not save up capacity") {
  LinkDirection direction = lossyDirection(8'000'000, 0);
  direction.arrive(makePacket(1'000), 0);
  advanceTo(direction, 1'000 * kMs);
  direction.arrive(makePacket(1'000), 1'000 * kMs);
  direction.arrive(makePacket(1'000), 1'000 * kMs);
  const auto out = advanceTo(direction, 2'000 * kMs);
  CHECK_EQUAL(out.back().dueNs, 1'002 * kMs);
}

TEST("the queue drops what does not fit; the packet in service is not counted") {
  LinkDirection direction = lossyDirection(8'000'000, 0, 0, 2'000);
  for (int i = 0; i < 5; i += 1) direction.arrive(makePacket(1'000), 0);
  CHECK_EQUAL(direction.stats().queueDrops, 2u);
  CHECK_EQUAL(advanceTo(direction, 100 * kMs).size(), 3u);
}

TEST("lost packets use the link and never arrive") {
  LinkDirection direction = lossyDirection(8'000'000, 0, 1);
  for (int i = 0; i < 3; i += 1) direction.arrive(makePacket(1'000), 0);
  CHECK_EQUAL(direction.nextEventNs(), 1 * kMs);
  CHECK(advanceTo(direction, 2 * kMs).empty());
  CHECK_EQUAL(direction.stats().lossDrops, 2u);
  CHECK_EQUAL(direction.nextEventNs(), 3 * kMs);
}

TEST("a shorter delay lets no packet overtake") {
  LinkDirection direction = lossyDirection(8'000'000, 50 * kMs);
  direction.arrive(makePacket(1'000, 1), 0);
  direction.setDelayNs(0, 2 * kMs);
  direction.arrive(makePacket(1'000, 2), 2 * kMs);
  const auto out = advanceTo(direction, 100 * kMs);
  CHECK_EQUAL(out.size(), 2u);
  CHECK_EQUAL(out[0].id, 1);
  CHECK_EQUAL(out[1].dueNs, 51 * kMs);
}

TEST("down and blackhole lose everything under way and everything new, up starts afresh") {
  for (const LinkState state : {LinkState::kDown, LinkState::kBlackhole}) {
    LinkDirection direction = lossyDirection(8'000'000, 5 * kMs);
    for (int i = 0; i < 3; i += 1) direction.arrive(makePacket(1'000), 0);
    direction.setState(state, 1 * kMs);
    CHECK_EQUAL(direction.nextEventNs(), kNever);
    direction.arrive(makePacket(1'000), 2 * kMs);
    CHECK_EQUAL(direction.stats().stateDrops, 4u);
    direction.setState(LinkState::kUp, 3 * kMs);
    direction.arrive(makePacket(1'000, 9), 4 * kMs);
    const auto out = advanceTo(direction, 100 * kMs);
    CHECK_EQUAL(out.size(), 1u);
    CHECK_EQUAL(out[0].dueNs, 10 * kMs);
  }
}

TEST("down and blackhole lose no packet that was due before") {
  for (const LinkState state : {LinkState::kDown, LinkState::kBlackhole}) {
    LinkDirection direction = lossyDirection(kUnlimitedBps, 10 * kMs);
    direction.arrive(makePacket(1'000, 1), 0);
    direction.arrive(makePacket(1'000, 2), 2 * kMs);
    direction.setState(state, 11 * kMs);
    CHECK_EQUAL(direction.stats().stateDrops, 1u);
    const auto out = advanceTo(direction, 20 * kMs);
    CHECK_EQUAL(out.size(), 1u);
    CHECK_EQUAL(out[0].dueNs, 10 * kMs);
  }
}

TEST("every packet is accounted for") {
  LinkDirection direction = lossyDirection(3'333'333, 7 * kMs, 0.1, 9'000);
  TimeNs now = 0;
  for (std::uint32_t i = 0; i < 2'000; i += 1) {
    now += (i * 7'919) % 4'000'000;
    direction.arrive(makePacket(40 + (i * 31) % 1'460), now);
    if (i % 3 == 0) advanceTo(direction, now);
  }
  advanceTo(direction, now + 10'000 * kMs);
  const DirectionStats& stats = direction.stats();
  CHECK(stats.queueDrops > 0);
  CHECK(stats.lossDrops > 0);
  CHECK_EQUAL(stats.inPackets, stats.outPackets + stats.queueDrops + stats.lossDrops);
}
