#include <algorithm>
#include <cmath>
#include <vector>

#include "check.h"
#include "droptail_queue.h"
#include "duration_stats.h"
#include "link_direction.h"
#include "packets.h"

using namespace mpd::link;

namespace {

LinkDirection jitteredDirection(std::uint64_t rateBps, TimeNs delayNs, const JitterConfig& jitter = {},
                                std::uint64_t seed = 1) {
  return {std::make_unique<DroptailQueue>(QueueLimit{}), DirectionSettings{rateBps, delayNs, {}, jitter},
          seed};
}

std::shared_ptr<RateTrace> traceOf(const std::vector<TraceStep>& steps) {
  auto trace = std::make_shared<RateTrace>();
  for (const TraceStep& step : steps) trace->append(step);
  return trace;
}

std::vector<TimeNs> dueTimes(LinkDirection& direction, TimeNs untilNs) {
  std::vector<TimeNs> out;
  while (direction.nextEventNs() <= untilNs) {
    direction.advance(direction.nextEventNs(), [&](const Packet&, TimeNs dueNs) { out.push_back(dueNs); });
  }
  return out;
}

}  // namespace

TEST("trace: a rate holds for its time, to the bit, and the trace begins again") {
  LinkDirection direction = jitteredDirection(0, 0);
  // 10 packets of 1000 bytes, none, 40: 50 in each round of 30 ms.
  direction.setTrace(traceOf({{10 * kMs, 8'000'000, {}}, {10 * kMs, 0, {}}, {10 * kMs, 32'000'000, {}}}),
                     true, 0);
  for (int i = 0; i < 150; i += 1) direction.arrive(makePacket(1'000), 0);
  const std::vector<TimeNs> due = dueTimes(direction, 1'000 * kMs);
  CHECK_EQUAL(due.size(), 150u);
  CHECK_EQUAL(due[0], 1 * kMs);
  CHECK_EQUAL(due[9], 10 * kMs);
  CHECK_EQUAL(due[10], 20 * kMs + kMs / 4);
  CHECK_EQUAL(due[49], 30 * kMs);
  CHECK_EQUAL(due[149], 90 * kMs);
}

TEST("trace: a packet caught by an outage goes on where it stood") {
  LinkDirection direction = jitteredDirection(0, 0);
  direction.setTrace(traceOf({{kMs / 2, 8'000'000, {}}, {100 * kMs, 0, {}}, {100 * kMs, 4'000'000, {}}}),
                     true, 0);
  direction.arrive(makePacket(1'000), 0);
  const std::vector<TimeNs> due = dueTimes(direction, 1'000 * kMs);
  CHECK_EQUAL(due.size(), 1u);
  CHECK_EQUAL(due[0], kMs / 2 + 100 * kMs + 1 * kMs);
}

TEST("trace: waking late, or seldom, changes nothing") {
  for (const TimeNs stepNs : {1 * kMs, 37 * kMs, 5'000 * kMs}) {
    LinkDirection direction = jitteredDirection(0, 5 * kMs);
    direction.setTrace(traceOf({{3 * kMs, 8'000'000, {}}, {7 * kMs, 1'000'000, {}}, {2 * kMs, 0, {}}}), true,
                       0);
    for (int i = 0; i < 300; i += 1) direction.arrive(makePacket(500), 0);
    std::vector<TimeNs> due;
    for (TimeNs now = 0; now <= 5'000 * kMs; now += stepNs) {
      direction.advance(now, [&](const Packet&, TimeNs dueNs) { due.push_back(dueNs); });
    }
    CHECK_EQUAL(due.size(), 300u);
    // 31000 bits in each round of 12 ms: 38 rounds and 22000 bits for 1200000.
    CHECK_EQUAL(due.back(), 38 * 12 * kMs + 22 * kMs / 8 + 5 * kMs);
  }
}

TEST("trace: an idle link is at the right place however long it idled, and once is once") {
  const auto trace = traceOf({{10 * kMs, 8'000'000, {}}, {10 * kMs, 4'000'000, 3 * kMs}});
  LinkDirection direction = jitteredDirection(0, 0);
  direction.setTrace(trace, true, 7);
  direction.arrive(makePacket(1'000), 7 + 1'000'000'015 * kMs);
  CHECK_EQUAL(direction.rateBps(), 4'000'000u);
  CHECK_EQUAL(direction.delayNs(), 3 * kMs);
  CHECK_EQUAL(direction.nextEventNs(), 7 + 1'000'000'017 * kMs);
  LinkDirection once = jitteredDirection(0, 0);
  once.setTrace(trace, false, 0);
  once.arrive(makePacket(1'000), 1'000'000'001 * kMs);
  CHECK_EQUAL(once.rateBps(), 4'000'000u);
  once.setRate(1'000'000, 1'000'000'001 * kMs);
  CHECK_EQUAL(once.nextEventNs(), 1'000'000'009 * kMs);
}

TEST("outages: everything sent or under way during one is lost, again every period") {
  LinkDirection direction = jitteredDirection(8'000'000, 5 * kMs);
  direction.setOutages(OutageSchedule({{20 * kMs, 10 * kMs}}, 100 * kMs), 0);
  std::vector<TimeNs> due;
  for (TimeNs now = 0; now < 200 * kMs; now += 2 * kMs) {
    direction.arrive(makePacket(1'000), now);
    direction.advance(now, [&](const Packet&, TimeNs dueNs) { due.push_back(dueNs); });
    if (now == 24 * kMs) CHECK(direction.isOut());
    if (now == 30 * kMs) CHECK(!direction.isOut());
  }
  direction.advance(1'000 * kMs, [&](const Packet&, TimeNs dueNs) { due.push_back(dueNs); });
  // Packets sent at 0, 2 ... arrive 6 ms later: those sent from 16 on are in transit at 20; from 20 on the
  // link is out.
  for (const TimeNs dueNs : due) {
    const TimeNs phase = dueNs % (100 * kMs);
    CHECK(phase <= 20 * kMs || phase >= 36 * kMs);
  }
  CHECK_EQUAL(direction.stats().stateDrops, 2u * 7);
  CHECK_EQUAL(due.size(), 100u - 14);
}

TEST("outages: the state of the link and its outages are two things") {
  LinkDirection direction = jitteredDirection(8'000'000, 0);
  direction.setOutages(OutageSchedule({{10 * kMs, 10 * kMs}}, 0), 0);
  direction.setState(LinkState::kBlackhole, 5 * kMs);
  direction.setState(LinkState::kUp, 15 * kMs);
  direction.arrive(makePacket(1'000), 16 * kMs);
  CHECK_EQUAL(direction.stats().stateDrops, 1u);
  direction.arrive(makePacket(1'000), 20 * kMs);
  CHECK_EQUAL(dueTimes(direction, 100 * kMs).size(), 1u);
}

TEST("jitter: spread as asked, in order unless asked, and by seed") {
  for (const auto shape : {JitterConfig::Shape::kUniform, JitterConfig::Shape::kNormal}) {
    Jitter jitter({shape, 4 * kMs, false}, 3);
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < 100'000; i += 1) {
      const double ms = static_cast<double>(jitter.delayNs(50 * kMs)) / 1e6;
      if (shape == JitterConfig::Shape::kUniform) CHECK(ms >= 46 && ms <= 54);
      sum += ms;
      squares += ms * ms;
    }
    const double mean = sum / 100'000;
    const double deviation = std::sqrt(squares / 100'000 - mean * mean);
    const double expected = shape == JitterConfig::Shape::kUniform ? 4 / std::sqrt(3.0) : 4;
    CHECK(std::abs(mean - 50) < 0.1);
    CHECK(std::abs(deviation / expected - 1) < 0.03);
  }
  const auto order = [](bool mayReorder, std::uint64_t seed) {
    LinkDirection direction =
        jitteredDirection(80'000'000, 20 * kMs, {JitterConfig::Shape::kUniform, 10 * kMs, mayReorder}, seed);
    for (int i = 0; i < 200; i += 1) direction.arrive(makePacket(100, static_cast<std::uint8_t>(i)), 0);
    std::vector<int> out;
    direction.advance(1'000 * kMs, [&](const Packet& packet, TimeNs) { out.push_back(packet.data[0]); });
    return out;
  };
  CHECK_EQUAL(order(false, 1).size(), 200u);
  const std::vector<int> inOrder = order(false, 1);
  CHECK(std::is_sorted(inOrder.begin(), inOrder.end()));
  const std::vector<int> mixed = order(true, 1);
  CHECK_EQUAL(mixed.size(), 200u);
  CHECK(!std::is_sorted(mixed.begin(), mixed.end()));
  CHECK(mixed == order(true, 1));
  CHECK(mixed != order(true, 2));
}

TEST("duration statistics: quantiles are right to an eighth of an octave") {
  DurationStats stats;
  for (TimeNs i = 1; i <= 100'000; i += 1) stats.add(i * 1'000);
  CHECK_EQUAL(stats.maxNs(), 100'000'000u);
  CHECK_EQUAL(stats.meanNs(), 50'000'500u);
  const double median = static_cast<double>(stats.quantileNs(0.5));
  CHECK(median >= 50e6 && median < 56.5e6);
  CHECK(stats.quantileNs(0.99) >= 99'000'000 && stats.quantileNs(0.99) <= 100'000'000);
  CHECK_EQUAL(DurationStats().quantileNs(0.5), 0u);
}
