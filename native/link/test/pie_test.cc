#include "pie.h"

#include "check.h"
#include "ip_header.h"
#include "packets.h"
#include "pie_queue.h"

using namespace mpd::link;

namespace {

/// A queue of 10 packets that arrived at once.
PacketFifo fullSince(TimeNs arrivedNs) {
  PacketFifo queue;
  for (int i = 0; i < 10; i += 1) {
    Packet packet = makePacket(1'500);
    packet.arrivedNs = arrivedNs;
    queue.push(std::move(packet));
  }
  return queue;
}

/// Updates with a constant delay, one every 15 ms from `fromNs`.
TimeNs hold(Pie& pie, TimeNs delayNs, int updates, TimeNs fromNs) {
  for (int i = 0; i < updates; i += 1) {
    fromNs += 15 * kMs;
    pie.catchUp(fullSince(fromNs - delayNs), fromNs);
  }
  return fromNs;
}

}  // namespace

TEST("PIE: the probability follows the control law by hand calculation") {
  Pie pie(PieConfig{});
  pie.catchUp(PacketFifo{}, 1'000 * kMs);
  hold(pie, 35 * kMs, 1, 1'000 * kMs);
  // 0.125 * (0.035 - 0.015) + 1.25 * 0.035, divided by 2048 below a probability of 1e-6.
  const double first = (0.125 * 0.020 + 1.25 * 0.035) / 2048;
  CHECK(pie.dropProbability() > first * 0.999 && pie.dropProbability() < first * 1.001);
  hold(pie, 35 * kMs, 1, 1'015 * kMs);
  // No trend now; the probability is between 1e-5 and 1e-4: divided by 128.
  const double second = first + 0.125 * 0.020 / 128;
  CHECK(pie.dropProbability() > second * 0.999 && pie.dropProbability() < second * 1.001);
}

TEST("PIE: a step is at most 2 % above 10 %, and no less than 2 % at extreme delay") {
  Pie pie(PieConfig{});
  pie.catchUp(PacketFifo{}, 1'000 * kMs);
  TimeNs now = hold(pie, 240 * kMs, 1, 1'000 * kMs);
  while (pie.dropProbability() < 0.1) now = hold(pie, 240 * kMs, 1, now);
  const double before = pie.dropProbability();
  now = hold(pie, 245 * kMs, 1, now);
  CHECK(pie.dropProbability() - before <= 0.02 + 1e-12);
  const double between = pie.dropProbability();
  now = hold(pie, 260 * kMs, 1, now);
  hold(pie, 260 * kMs, 1, now);
  CHECK(pie.dropProbability() - between > 0.0399);
  CHECK(pie.dropProbability() <= 1);
}

TEST("PIE: a burst after idling is let through for the allowance, and no longer") {
  SplitMix64 random(1);
  Pie pie(PieConfig{});
  const TimeNs start = 1'000 * kMs;
  int passedMs = 0;
  // A delay of 100 ms from the start: the control law alone would drop packets.
  for (TimeNs ms = 0; ms < 1'000; ms += 1) {
    const TimeNs now = start + ms * kMs;
    if (pie.decide(fullSince(now - 100 * kMs), false, now, random) == PieVerdict::kDrop) break;
    passedMs += 1;
  }
  CHECK(passedMs >= 150);
  CHECK(passedMs < 1'000);
}

TEST("PIE: drops are spread, neither clustered nor far apart") {
  SplitMix64 random(7);
  PieConfig config;
  config.maxBurstNs = 0;
  Pie pie(config);
  TimeNs now = hold(pie, 100 * kMs, 40, 1'000 * kMs);
  while (pie.dropProbability() < 0.05) now = hold(pie, 100 * kMs, 1, now);
  const double probability = pie.dropProbability();
  int gap = 0;
  int drops = 0;
  const PacketFifo queue = fullSince(now - 100 * kMs);
  for (int i = 0; i < 20'000; i += 1) {
    gap += 1;
    if (pie.decide(queue, false, now, random) == PieVerdict::kPass) continue;
    CHECK(gap >= 0.85 / probability - 1);
    CHECK(gap <= 8.5 / probability + 1);
    gap = 0;
    drops += 1;
  }
  CHECK(drops > 200);
}

TEST("PIE: nothing is dropped from a queue of two packets, and hours of idling cost nothing") {
  SplitMix64 random(1);
  PieConfig config;
  config.maxBurstNs = 0;
  Pie pie(config);
  TimeNs now = hold(pie, 300 * kMs, 100, 1'000 * kMs);
  CHECK_EQUAL(pie.dropProbability(), 1.0);
  PacketFifo queue;
  queue.push(makePacket(1'500));
  queue.push(makePacket(1'500));
  CHECK(pie.decide(queue, false, now, random) == PieVerdict::kPass);
  CHECK(pie.decide(fullSince(now), false, now, random) == PieVerdict::kDrop);
  pie.catchUp(PacketFifo{}, now + 10'000'000'000'000 * 100);
  CHECK_EQUAL(pie.dropProbability(), 0.0);
}

TEST("PIE: marks below the ECN threshold, drops above it") {
  SplitMix64 random(1);
  PieConfig config;
  config.maxBurstNs = 0;
  config.ecn = true;
  Pie pie(config);
  TimeNs now = hold(pie, 100 * kMs, 10, 1'000 * kMs);
  int marks = 0;
  int dropsBelow = 0;
  while (pie.dropProbability() < 0.1) {
    now = hold(pie, 100 * kMs, 1, now);
    for (int i = 0; i < 20 && pie.dropProbability() < 0.1; i += 1) {
      const PieVerdict verdict = pie.decide(fullSince(now - 100 * kMs), true, now, random);
      marks += verdict == PieVerdict::kMark ? 1 : 0;
      dropsBelow += verdict == PieVerdict::kDrop ? 1 : 0;
    }
  }
  CHECK(marks > 0);
  CHECK_EQUAL(dropsBelow, 0);
  int marksAbove = 0;
  for (int i = 0; i < 200; i += 1) {
    marksAbove += pie.decide(fullSince(now - 100 * kMs), true, now, random) == PieVerdict::kMark ? 1 : 0;
  }
  CHECK_EQUAL(marksAbove, 0);
}

TEST("marks: IPv4 and IPv6 get Congestion Experienced, the IPv4 checksum stays right") {
  for (std::uint16_t flow = 0; flow < 300; flow += 1) {
    for (std::uint8_t ecn = 1; ecn <= 3; ecn += 1) {
      Packet four = makeUdp4(100 + flow, flow, 0, ecn);
      CHECK(hasGoodChecksum(four));
      CHECK(markCongestion(four.bytes()));
      CHECK_EQUAL(int{ecnOf(four)}, 3);
      CHECK(hasGoodChecksum(four));
      CHECK_EQUAL(four.data[1] >> 2, 0xb8 >> 2);
    }
  }
  Packet six = makeUdp6(100, 1, 0, 2);
  CHECK(markCongestion(six.bytes()));
  CHECK_EQUAL(int{ecnOf(six)}, 3);
  CHECK_EQUAL(int{six.data[1]}, 0x35);
  Packet incapable = makeUdp4(100, 1);
  CHECK(!markCongestion(incapable.bytes()));
  CHECK(hasGoodChecksum(incapable));
  Packet noise = makePacket(3, 0x45);
  CHECK(!markCongestion(noise.bytes()));
}

TEST("flows: a hash is the same for all packets of a flow, spreads flows, and survives noise") {
  CHECK_EQUAL(hashFlow(makeUdp4(100, 5, 1).bytes(), 9), hashFlow(makeUdp4(900, 5, 2, 3).bytes(), 9));
  CHECK(hashFlow(makeUdp4(100, 5).bytes(), 9) != hashFlow(makeUdp4(100, 6).bytes(), 9));
  CHECK(hashFlow(makeUdp6(100, 5).bytes(), 9) != hashFlow(makeUdp6(100, 6).bytes(), 9));
  CHECK(hashFlow(makeUdp4(100, 5).bytes(), 9) != hashFlow(makeUdp4(100, 5).bytes(), 10));
  // All fragments of a packet stay together, whatever bytes are at the ports' offset.
  Packet first = makeUdp4(100, 5);
  Packet later = makeUdp4(100, 6);
  first.data[6] = 0x20;
  later.data[7] = 1;
  CHECK_EQUAL(hashFlow(first.bytes(), 9), hashFlow(later.bytes(), 9));
  for (std::uint32_t size = 1; size < 60; size += 1) {
    const Packet four = makePacket(size, 0x4f);
    const Packet six = makePacket(size, 0x60);
    CHECK_EQUAL(hashFlow(four.bytes(), 1), hashFlow(four.bytes(), 1));
    CHECK_EQUAL(hashFlow(six.bytes(), 1), hashFlow(six.bytes(), 1));
  }
}
