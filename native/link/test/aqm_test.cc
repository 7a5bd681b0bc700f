#include <set>

#include "check.h"
#include "packets.h"
#include "queue_config.h"
#include "traffic.h"

using namespace mpd::link;
using namespace traffic;

namespace {

constexpr std::uint64_t kRateBps = 10'000'000;

QueueConfig queueOf(const char* name, TimeNs targetNs) {
  QueueConfig config;
  config.kind = *queueKindOf(name);
  config.set(QueueSetting::kTarget, static_cast<double>(targetNs));
  return config;
}

/// One direction of 10 Mbit/s whose delay line stands for the whole round trip.
LinkDirection directionOf(const QueueConfig& config, std::uint64_t seed = 1, TimeNs rttNs = 40 * kMs) {
  return {makeQueue(config, 1'500, seed),
          {.rateBps = kRateBps, .delayNs = rttNs, .loss = {}, .jitter = {}},
          seed};
}

/// Mean queueing delay of the packets sent from 5 to 30 s.
struct Settled {
  double waitMs;
  double utilisation;
};

Settled settle(const QueueConfig& config, std::vector<Steady> steady, std::vector<Reno> reno) {
  Run run(directionOf(config), std::move(steady), std::move(reno));
  DurationStats waited;
  run.until(0, 5 * kSecond);
  run.direction().setWaited([&](TimeNs waitedNs) { waited.add(waitedNs); });
  const std::uint64_t before = run.direction().stats().outBytes;
  run.until(5 * kSecond, 30 * kSecond);
  const std::uint64_t bytes = run.direction().stats().outBytes - before;
  return {static_cast<double>(waited.meanNs()) / 1e6,
          static_cast<double>(bytes) * 8 / 25 / static_cast<double>(kRateBps)};
}

const std::vector<Reno> kFourSenders = {{.flow = 1}, {.flow = 2}, {.flow = 3}, {.flow = 4}};

}  // namespace

TEST("PIE: the delay settles around the target with senders that answer to loss") {
  for (const TimeNs targetMs : {5U, 15U, 30U}) {
    const Settled settled = settle(queueOf("pie", targetMs * kMs), {}, kFourSenders);
    const double ratio = settled.waitMs / static_cast<double>(targetMs);
    CHECK(ratio > 0.4);
    CHECK(ratio < 1.7);
    CHECK(settled.utilisation > 0.85);
  }
}

TEST("PIE: an overload that answers to nothing is dropped down to the rate, at the target delay") {
  // 12 Mbit/s into 10: one packet in six is dropped.
  const std::vector<Steady> overload = {{.flow = 1, .sizeBytes = 1'500, .everyNs = kMs}};
  const Settled settled = settle(queueOf("pie", 15 * kMs), overload, {});
  CHECK(settled.waitMs > 10);
  CHECK(settled.waitMs < 20);
  CHECK(settled.utilisation > 0.99);
}

TEST("CoDel: the delay settles around the target, far below that of droptail") {
  QueueConfig droptail;
  droptail.limitBytes = 250'000;
  const Settled without = settle(droptail, {}, kFourSenders);
  const Settled settled = settle(queueOf("codel", 5 * kMs), {}, kFourSenders);
  CHECK(without.waitMs > 100);
  CHECK(settled.waitMs > 1.5);
  CHECK(settled.waitMs < 12);
  CHECK(settled.utilisation > 0.85);
}

TEST("FQ-PIE and FQ-CoDel: a heavy flow does not delay a light one, as it does in a shared queue") {
  // A telephone call beside an overload of three times the rate.
  const std::vector<Steady> both = {{.flow = 1, .sizeBytes = 200, .everyNs = 20 * kMs},
                                    {.flow = 2, .sizeBytes = 1'500, .everyNs = kMs / 3}};
  for (const char* name : {"fq_pie", "fq_codel"}) {
    Run run(directionOf(queueOf(name, 15 * kMs), 1, 0), both, {});
    run.until(kSecond, 10 * kSecond);
    // One full packet at most is before it: 1.2 ms, and itself.
    CHECK(run.flow(1).delay.maxNs() < 4 * kMs);
    CHECK_EQUAL(run.flow(1).packets, 450u);
    CHECK(run.flow(2).bytes > 9 * kRateBps / 8 * 9 / 10);
  }
  QueueConfig droptail;
  droptail.limitBytes = 250'000;
  Run shared(directionOf(droptail, 1, 0), both, {});
  shared.until(kSecond, 10 * kSecond);
  CHECK(shared.flow(1).delay.meanNs() > 100 * kMs);
}

TEST("FQ-PIE and FQ-CoDel: greedy flows get equal shares, whatever their packet sizes") {
  const std::vector<Steady> both = {{.flow = 1, .sizeBytes = 300, .everyNs = kMs / 5},
                                    {.flow = 2, .sizeBytes = 1'500, .everyNs = kMs / 2}};
  for (const char* name : {"fq_pie", "fq_codel"}) {
    Run run(directionOf(queueOf(name, 15 * kMs)), both, {});
    run.until(2 * kSecond, 12 * kSecond);
    const double ratio = static_cast<double>(run.flow(1).bytes) / static_cast<double>(run.flow(2).bytes);
    CHECK(ratio > 0.9);
    CHECK(ratio < 1.1);
  }
}

TEST("every discipline: nothing is lost unaccounted, doubled or reordered within a flow") {
  for (const QueueDiscipline& discipline : kQueueDisciplines) {
    for (std::uint64_t seed = 1; seed <= 5; seed += 1) {
      QueueConfig config;
      config.kind = discipline.kind;
      config.limitPackets = 20 * seed;
      Run run(directionOf(config, seed, seed * kMs), {{.flow = 1, .sizeBytes = 900, .everyNs = kMs / 2}},
              {{.flow = 2}, {.flow = 3}});
      run.until(0, 5 * kSecond);
      const DirectionStats& before = run.direction().stats();
      CHECK(before.queueDrops > 0);
      std::set<std::uint64_t> seen;
      std::uint64_t last[4] = {0, 0, 0, 0};
      for (const std::uint64_t key : run.order()) {
        CHECK(seen.insert(key).second);
        CHECK(key >= last[key >> 32]);
        last[key >> 32] = key;
      }
      const TimeNs endNs = 20 * kSecond;
      run.direction().advance(endNs, [](const Packet&, TimeNs) {});
      const DirectionStats& stats = run.direction().stats();
      CHECK_EQUAL(stats.inPackets, stats.outPackets + stats.queueDrops);
      CHECK_EQUAL(run.direction().queue().sizePackets(), 0u);
      CHECK_EQUAL(run.direction().queue().sizeBytes(), 0u);
    }
  }
}

TEST("every discipline: the seed decides all, and another seed decides otherwise") {
  const auto order = [](const char* name, std::uint64_t seed) {
    Run run(directionOf(queueOf(name, 5 * kMs), seed), {{.flow = 1, .sizeBytes = 500, .everyNs = 3 * kMs}},
            {{.flow = 2}, {.flow = 3}});
    run.until(0, 4 * kSecond);
    return run.order();
  };
  for (const char* name : {"pie", "fq_pie", "codel", "fq_codel"}) {
    CHECK(order(name, 1) == order(name, 1));
  }
  CHECK(order("pie", 1) != order("pie", 2));
  CHECK(order("fq_pie", 1) != order("fq_pie", 2));
}

TEST("every discipline: what is cleared is counted, and the queue goes on") {
  for (const char* name : {"droptail", "pie", "fq_pie", "codel", "fq_codel"}) {
    const auto queue = makeQueue(queueOf(name, 5 * kMs), 1'500, 1);
    std::uint32_t dropped = 0;
    for (std::uint16_t flow = 0; flow < 10; flow += 1) queue->enqueue(makeUdp4(1'000, flow), 1);
    CHECK(queue->dequeue(2, dropped).has_value());
    CHECK_EQUAL(queue->clear(), 9u);
    CHECK_EQUAL(queue->sizeBytes(), 0u);
    CHECK(!queue->dequeue(3, dropped).has_value());
    CHECK_EQUAL(queue->enqueue(makeUdp4(1'000, 3, 77), 4), 0u);
    CHECK_EQUAL(numberOf(*queue->dequeue(5, dropped)), 77u);
    CHECK_EQUAL(dropped, 0u);
  }
}

TEST("PIE and CoDel: with ECN senders are signalled by marks, not by loss") {
  for (const char* name : {"pie", "codel", "fq_pie", "fq_codel"}) {
    QueueConfig config = queueOf(name, 10 * kMs);
    config.set(QueueSetting::kEcn, 1);
    Run run(directionOf(config), {}, {{.flow = 1, .ecn = true}, {.flow = 2, .ecn = true}});
    // The overshoot of slow start passes the ECN threshold, where drops are allowed.
    run.until(0, 5 * kSecond);
    const std::uint64_t dropsBefore = run.direction().stats().queueDrops;
    run.until(5 * kSecond, 60 * kSecond);
    const std::uint64_t drops = run.direction().stats().queueDrops - dropsBefore;
    CHECK(run.flow(1).marked + run.flow(2).marked > 10);
    CHECK(drops * 10 < run.flow(1).marked + run.flow(2).marked);
  }
}
