#pragma once

#include "packet.h"
#include "random.h"

namespace mpd::link {

struct JitterConfig {
  enum class Shape { kUniform, kNormal };
  Shape shape = Shape::kUniform;
  /// Uniform: the maximum deviation. Normal: the standard deviation.
  TimeNs spreadNs = 0;
  /// Allows reordering.
  bool mayReorder = false;
};

/// Varies the propagation delay per packet, by seed.
class Jitter {
 public:
  Jitter(const JitterConfig& config, std::uint64_t seed) : config_(config), random_(seed) {}

  /// Delay of the next packet: `baseNs` plus a random part, never below 0.
  TimeNs delayNs(TimeNs baseNs);

  void set(const JitterConfig& config) { config_ = config; }
  [[nodiscard]] const JitterConfig& config() const { return config_; }

 private:
  JitterConfig config_;
  SplitMix64 random_;
};

}  // namespace mpd::link
