#pragma once

#include <cstdint>

namespace mpd::link {

/// Decides, packet by packet in sending order, what is lost on the wire.
class LossModel {
 public:
  virtual ~LossModel() = default;
  virtual bool isLost() = 0;
};

/// Independent losses with a fixed probability. The n-th packet's fate depends on the seed, n and
/// the probability alone; a probability of 0 or 1 draws too, so that changing it back and forth
/// keeps the place in the sequence.
class BernoulliLoss final : public LossModel {
 public:
  BernoulliLoss(double probability, std::uint64_t seed) : probability_(probability), state_(seed) {}

  bool isLost() override;
  void setProbability(double probability) { probability_ = probability; }
  [[nodiscard]] double probability() const { return probability_; }

 private:
  double probability_;
  std::uint64_t state_;
};

}  // namespace mpd::link
