#include "codel.h"

#include <cmath>
#include <vector>

#include "check.h"
#include "packets.h"

using namespace mpd::link;

namespace {

/// Keeps a queue of old packets under the controller and records its drops, one departure per millisecond.
std::vector<int> dropTimesMs(Codel& codel, int fromMs, int untilMs, TimeNs ageNs) {
  std::vector<int> times;
  for (int ms = fromMs; ms < untilMs; ms += 1) {
    const TimeNs now = static_cast<TimeNs>(ms) * kMs;
    PacketFifo queue;
    for (int i = 0; i < 10; i += 1) {
      Packet packet = makePacket(1'500);
      packet.arrivedNs = now - ageNs;
      queue.push(std::move(packet));
    }
    std::uint32_t dropped = 0;
    std::uint64_t marks = 0;
    codel.dequeue(queue, now, dropped, marks);
    for (std::uint32_t i = 0; i < dropped; i += 1) times.push_back(ms);
  }
  return times;
}

}  // namespace

TEST("CoDel: the first drop comes after an interval, the next by the square root law") {
  Codel codel{CodelConfig{}};
  const std::vector<int> times = dropTimesMs(codel, 1'000, 1'500, 20 * kMs);
  CHECK(times.size() >= 6);
  double next = 1'100;
  for (int count = 1; count <= 6; count += 1) {
    CHECK(std::abs(times[static_cast<std::size_t>(count - 1)] - next) <= 1.001);
    next += 100 / std::sqrt(count);
  }
}

TEST("CoDel: a delay below the target, or above for less than an interval, is left alone") {
  Codel codel{CodelConfig{}};
  CHECK(dropTimesMs(codel, 1'000, 3'000, 4 * kMs).empty());
  for (int start = 3'000; start < 6'000; start += 100) {
    CHECK(dropTimesMs(codel, start, start + 95, 50 * kMs).empty());
    CHECK(dropTimesMs(codel, start + 95, start + 100, 1 * kMs).empty());
  }
}

TEST("CoDel: soon after a drop period the rate of drops is taken up where it was") {
  Codel codel{CodelConfig{}};
  const std::vector<int> first = dropTimesMs(codel, 1'000, 2'000, 20 * kMs);
  CHECK(dropTimesMs(codel, 2'000, 2'050, 1 * kMs).empty());
  const std::vector<int> again = dropTimesMs(codel, 2'050, 2'300, 20 * kMs);
  CHECK(again.size() > 2);
  CHECK_EQUAL(again[0], 2'150);
  CHECK(again[1] - again[0] < 50);

  Codel rested{CodelConfig{}};
  dropTimesMs(rested, 1'000, 2'000, 20 * kMs);
  CHECK(dropTimesMs(rested, 2'000, 4'000, 1 * kMs).empty());
  const std::vector<int> late = dropTimesMs(rested, 4'000, 4'300, 20 * kMs);
  CHECK_EQUAL(late[1] - late[0], 100);
}

TEST("CoDel: the last packet of a queue is never dropped") {
  Codel codel{CodelConfig{}};
  std::uint32_t dropped = 0;
  std::uint64_t marks = 0;
  for (int ms = 1'000; ms < 3'000; ms += 1) {
    PacketFifo queue;
    queue.push(makePacket(1'500));
    CHECK(codel.dequeue(queue, static_cast<TimeNs>(ms) * kMs, dropped, marks).has_value());
  }
  CHECK_EQUAL(dropped, 0u);
}

TEST("CoDel: an ECN-capable packet is marked in place of a drop, once a drop time") {
  Codel codel{CodelConfig{.ecn = true}};
  std::uint32_t dropped = 0;
  std::uint64_t marks = 0;
  for (int ms = 1'000; ms < 1'500; ms += 1) {
    PacketFifo queue;
    for (int i = 0; i < 5; i += 1) queue.push(makeUdp4(1'500, 1, 0, 2));
    CHECK(codel.dequeue(queue, static_cast<TimeNs>(ms) * kMs, dropped, marks).has_value());
  }
  CHECK_EQUAL(dropped, 0u);
  CHECK(marks >= 6 && marks < 20);
}
