#include "loss_model.hpp"

namespace mpd::link {

bool BernoulliLoss::isLost() {
  // SplitMix64 (Steele, Lea, Flood 2014): one 64-bit word of state is all a loss sequence needs.
  state_ += 0x9e3779b97f4a7c15;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  z ^= z >> 31;
  const double uniform = static_cast<double>(z >> 11) * 0x1.0p-53;
  return uniform < probability_;
}

}  // namespace mpd::link
