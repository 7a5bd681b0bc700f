#include "pie.h"

#include <algorithm>

namespace mpd::link {

namespace {

/// MEAN_PKTSIZE of section 4.1: below two such packets nothing is dropped.
constexpr std::uint64_t kMeanPacketBytes = 1'500;
/// Section 5.4, for the sum of probabilities since the last drop: never drop below the first, always above
/// the second, so that drops are evenly spaced.
constexpr double kSpacedFrom = 0.85;
constexpr double kSpacedTo = 8.5;
/// Section 5.5: upper bound of one update's growth once the probability is 0.1.
constexpr double kMaxStep = 0.02;
/// Above this delay that step is added to the control law's. Not in RFC 8033: Linux has it
/// (pie_calculate_probability), so that a queue of unresponsive traffic shrinks.
constexpr TimeNs kExtremeDelayNs = 250'000'000;

/// The auto-tuning of section 4.2: the step shrinks with the probability, for a constant loop gain.
double tuningDivisor(double probability) {
  if (probability < 0.000001) return 2048;
  if (probability < 0.00001) return 512;
  if (probability < 0.0001) return 128;
  if (probability < 0.001) return 32;
  if (probability < 0.01) return 8;
  return probability < 0.1 ? 2 : 1;
}

double seconds(TimeNs ns) {
  return static_cast<double>(ns) / 1e9;
}

}  // namespace

PieVerdict Pie::decide(const PacketFifo& queue, bool ecnCapable, TimeNs nowNs, SplitMix64& random) {
  catchUp(queue, nowNs);
  if (!dropsEarly(queue, random)) return PieVerdict::kPass;
  accumulated_ = 0;
  const bool marks = config_.ecn && ecnCapable && dropProbability_ < config_.ecnThreshold;
  return marks ? PieVerdict::kMark : PieVerdict::kDrop;
}

bool Pie::dropsEarly(const PacketFifo& queue, SplitMix64& random) {
  if (burstAllowanceNs_ > 0) return false;
  const bool isCalm = previousDelayNs_ < config_.targetNs / 2 && dropProbability_ < 0.2;
  if (isCalm || queue.sizeBytes() <= 2 * kMeanPacketBytes) return false;
  if (dropProbability_ == 0) accumulated_ = 0;
  accumulated_ += dropProbability_;
  if (accumulated_ < kSpacedFrom) return false;
  return accumulated_ >= kSpacedTo || random.uniform() < dropProbability_;
}

void Pie::catchUp(const PacketFifo& queue, TimeNs nowNs) {
  if (nextUpdateNs_ == 0) nextUpdateNs_ = nowNs + config_.updateNs;
  while (nextUpdateNs_ <= nowNs) {
    update(queue.headAgeNs(nextUpdateNs_));
    nextUpdateNs_ += config_.updateNs;
    const bool isAtRest = queue.empty() && dropProbability_ == 0 && burstAllowanceNs_ == config_.maxBurstNs;
    // The state is stable until the next packet, so hours of idle time cost nothing.
    if (isAtRest && nextUpdateNs_ <= nowNs) {
      nextUpdateNs_ += (nowNs - nextUpdateNs_) / config_.updateNs * config_.updateNs + config_.updateNs;
    }
  }
}

void Pie::update(TimeNs delayNs) {
  const double delay = seconds(delayNs);
  const double previous = seconds(previousDelayNs_);
  double step = config_.alpha * (delay - seconds(config_.targetNs)) + config_.beta * (delay - previous);
  step /= tuningDivisor(dropProbability_);
  if (dropProbability_ >= 0.1 && step > kMaxStep) step = kMaxStep;
  if (delayNs > kExtremeDelayNs) step += kMaxStep;
  dropProbability_ += step;
  // Section 4.2: exponential decay without congestion.
  if (delayNs == 0 && previousDelayNs_ == 0) dropProbability_ *= 0.98;
  dropProbability_ = std::clamp(dropProbability_, 0.0, 1.0);

  // Section 4.4.
  burstAllowanceNs_ -= std::min(burstAllowanceNs_, config_.updateNs);
  const TimeNs halfTargetNs = config_.targetNs / 2;
  if (dropProbability_ == 0 && delayNs < halfTargetNs && previousDelayNs_ < halfTargetNs) {
    burstAllowanceNs_ = config_.maxBurstNs;
  }
  previousDelayNs_ = delayNs;
}

}  // namespace mpd::link
