#pragma once

#include "packet.hpp"
#include "random.hpp"

namespace mpd::link {

struct JitterConfig {
  enum class Shape { kUniform, kNormal };
  Shape shape = Shape::kUniform;
  /// Uniform: the most a packet is early or late. Normal: the standard deviation.
  TimeNs spreadNs = 0;
  /// Whether a packet may overtake another.
  bool mayReorder = false;
};

/// Varies the propagation delay from packet to packet, by seed.
class Jitter {
 public:
  Jitter(const JitterConfig& config, std::uint64_t seed) : config_(config), random_(seed) {}

  /// The delay of the next packet: `baseNs` more or less, never below 0.
  TimeNs delayNs(TimeNs baseNs);

  void set(const JitterConfig& config) { config_ = config; }
  [[nodiscard]] const JitterConfig& config() const { return config_; }

 private:
  JitterConfig config_;
  SplitMix64 random_;
};

}  // namespace mpd::link
