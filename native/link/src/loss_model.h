#pragma once

#include "random.h"

namespace mpd::link {

/// Random loss: independent with one probability, or by the two states of Gilbert and Elliott.
struct LossConfig {
  /// Loss probability in the good state; without bursts it is the only state.
  double good = 0;
  /// Loss probability in the bad state.
  double bad = 1;
  /// Probabilities of a state change, per packet.
  double goodToBad = 0;
  double badToGood = 1;
  bool hasBursts = false;

  static LossConfig independent(double probability) { return {.good = probability}; }
  /// The long-run loss share.
  [[nodiscard]] double meanRatio() const;
};

/// Decides per packet, in sending order, which packets the wire loses. A packet's fate depends only on the
/// seed, its position and the configuration. A probability of 0 or 1 draws too, so that a temporary change
/// keeps the position in the sequence.
class LossModel {
 public:
  LossModel(const LossConfig& config, std::uint64_t seed) : config_(config), random_(seed) {}

  bool isLost();
  void set(const LossConfig& config) { config_ = config; }
  [[nodiscard]] const LossConfig& config() const { return config_; }

 private:
  LossConfig config_;
  SplitMix64 random_;
  bool isBad_ = false;
};

}  // namespace mpd::link
