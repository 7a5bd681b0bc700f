// Measures the collector alone: bench ROUNDS PAUSE_US prints one line of JSON. PAUSE_US 0 runs back to back
// (warm caches); 100000 is the sampler's default pace (cold caches).
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "../addon/collector.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: bench ROUNDS PAUSE_US\n");
    return 2;
  }
  const int rounds = std::atoi(argv[1]);
  const auto pauseUs = static_cast<useconds_t>(std::atoi(argv[2]));
  if (rounds < 1) return 2;
  try {
    mpd::Collector collector("");
    collector.setFilter({});
    mpd::Snapshot snapshot;
    std::vector<double> cpuUs;
    collector.collect(snapshot);  // The first one dumps everything.
    for (int i = 0; i < rounds; ++i) {
      collector.collect(snapshot);
      cpuUs.push_back(snapshot.cpuUs);
      if (pauseUs > 0) usleep(pauseUs);
    }
    std::sort(cpuUs.begin(), cpuUs.end());
    const auto at = [&](double share) { return cpuUs[static_cast<size_t>(share * (cpuUs.size() - 1.0))]; };
    std::printf("{\"connections\":%zu,\"subflows\":%zu,\"medianUs\":%.1f,\"p10Us\":%.1f,\"p90Us\":%.1f}\n",
                snapshot.connections.size(), snapshot.subflows.size(), at(0.5), at(0.1), at(0.9));
  } catch (const mpd::Failure& failure) {
    std::fprintf(stderr, "bench: %s: %s\n", failure.code(), failure.what());
    return 1;
  }
  return 0;
}
