#include "jitter.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace mpd::link {

namespace {

/// Box-Muller transform; two draws per packet keep packets and draws aligned.
double standardNormal(SplitMix64& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

}  // namespace

TimeNs Jitter::delayNs(TimeNs baseNs) {
  if (config_.spreadNs == 0) return baseNs;
  const double deviation =
      config_.shape == JitterConfig::Shape::kNormal ? standardNormal(random_) : 2 * random_.uniform() - 1;
  const double delay = static_cast<double>(baseNs) + deviation * static_cast<double>(config_.spreadNs);
  return static_cast<TimeNs>(std::max(0.0, delay));
}

}  // namespace mpd::link
