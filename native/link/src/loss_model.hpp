#pragma once

#include "random.hpp"

namespace mpd::link {

/// Who is lost: independently with one probability, or by the two states of Gilbert and Elliott.
struct LossConfig {
  /// Loss probability in the good state; the only state there is without bursts.
  double good = 0;
  /// Loss probability in the bad state.
  double bad = 1;
  /// Probabilities of a change of state, per packet.
  double goodToBad = 0;
  double badToGood = 1;
  bool hasBursts = false;

  static LossConfig independent(double probability) { return {.good = probability}; }
  /// The share lost in the long run.
  [[nodiscard]] double meanRatio() const;
};

/// Decides, packet by packet in sending order, what is lost on the wire. A packet's fate depends on the
/// seed, its place in the order and the configuration alone; a probability of 0 or 1 draws too, so that
/// changing it back and forth keeps the place in the sequence.
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
