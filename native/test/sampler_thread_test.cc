#include "../addon/sampler_thread.h"

#include <atomic>

#include "../addon/collector.h"
#include "check.h"

namespace mpd {
namespace {

constexpr int64_t kPeriodUs = 2000;

/** Waits until the sampler has done `count` rounds, on a machine of any speed. */
void awaitRounds(const SamplerThread& sampler, uint64_t count) {
  for (;;) {
    const SamplerCounts counts = sampler.counts();
    if (counts.taken + counts.failed >= count) return;
    std::this_thread::yield();
  }
}

TEST(sampler_starts_stops_and_starts_again_while_being_read) {
  std::atomic<int> notified = 0;
  uint64_t number = 0;
  SamplerThread sampler(
      kPeriodUs, 8, [&](Snapshot& out) { out.monotonicUs = static_cast<int64_t>(++number); },
      [&] { ++notified; });
  std::vector<Snapshot> out;
  int64_t last = 0;
  uint64_t read = 0;
  const auto readAll = [&] {
    const size_t count = sampler.read(out);
    for (size_t i = 0; i < count; ++i) {
      CHECK(out[i].monotonicUs > last);
      last = out[i].monotonicUs;
    }
    read += count;
  };
  for (uint64_t round = 1; round <= 3; ++round) {
    sampler.start();
    sampler.start();
    awaitRounds(sampler, round * 10);
    readAll();
    sampler.stop();
    sampler.stop();
  }
  readAll();
  const SamplerCounts counts = sampler.counts();
  CHECK(counts.taken == number && counts.read == read && counts.read + counts.lost == counts.taken);
  CHECK(static_cast<uint64_t>(notified) == counts.taken);
}

TEST(sampler_keeps_its_phase) {
  std::vector<int64_t> times;
  SamplerThread sampler(
      kPeriodUs, 8, [&](Snapshot& out) { times.push_back(out.monotonicUs = monotonicUs()); }, [] {});
  sampler.start();
  awaitRounds(sampler, 20);
  sampler.stop();
  // A round never comes before its instant, at any load.
  for (size_t i = 1; i < times.size(); ++i) {
    CHECK(times[i] - times[0] >= static_cast<int64_t>(i) * kPeriodUs - kPeriodUs);
  }
}

TEST(sampler_counts_failures_and_continues) {
  int round = 0;
  SamplerThread sampler(
      kPeriodUs, 8,
      [&](Snapshot&) {
        if (++round % 2 == 1) throw Failure("NETLINK", "odd", 5);
      },
      [] {});
  sampler.start();
  awaitRounds(sampler, 6);
  sampler.stop();
  const SamplerCounts counts = sampler.counts();
  CHECK(counts.failed >= 3 && counts.taken >= 2);
  CHECK(counts.lastError && counts.lastError->error() == 5);
}

TEST(sampler_ends_promptly_in_mid_period) {
  SamplerThread sampler(
      3'600'000'000, 8, [](Snapshot&) {}, [] {});
  sampler.start();
  awaitRounds(sampler, 1);
  sampler.stop();  // Would take an hour.
  CHECK(sampler.counts().taken == 1);
}

/** The collector in the sampling thread, on this machine's sockets, with the filter changed meanwhile. */
TEST(sampler_with_the_real_collector) {
  Collector collector("");
  std::mutex mutex;
  std::optional<Filter> next = Filter{};
  SamplerThread sampler(
      kPeriodUs, 4,
      [&](Snapshot& out) {
        {
          const std::lock_guard lock(mutex);
          if (next) collector.setFilter(*next);
          next.reset();
        }
        collector.collect(out);
      },
      [] {});
  sampler.start();
  for (uint64_t i = 1; i <= 5; ++i) {
    awaitRounds(sampler, i * 2);
    const std::lock_guard lock(mutex);
    next = Filter{};
    next->includePlainTcp = i % 2 == 0;
  }
  sampler.stop();
  const SamplerCounts counts = sampler.counts();
  CHECK(counts.failed == 0 || std::string(counts.lastError->code()) == "MPTCP_DIAG_MISSING");
}

}  // namespace
}  // namespace mpd
