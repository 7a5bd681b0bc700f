#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "packet.h"

namespace mpd::link {

/// Count, mean, maximum and quantiles of durations in constant memory: buckets are an eighth of an octave
/// wide, so a quantile is accurate to 12 %.
class DurationStats {
 public:
  void add(TimeNs ns) {
    count_ += 1;
    sumNs_ += ns;
    maxNs_ = std::max(maxNs_, ns);
    buckets_[bucketOf(ns)] += 1;
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] TimeNs meanNs() const { return count_ == 0 ? 0 : sumNs_ / count_; }
  [[nodiscard]] TimeNs maxNs() const { return maxNs_; }

  /// The upper end of the bucket that holds the quantile, at most the maximum.
  /// @param share 0 to 1
  [[nodiscard]] TimeNs quantileNs(double share) const {
    const auto rank = static_cast<std::uint64_t>(share * static_cast<double>(count_));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < buckets_.size(); i += 1) {
      seen += buckets_[i];
      if (seen > rank) return std::min(maxNs_, upperEndNs(i));
    }
    return maxNs_;
  }

 private:
  static constexpr std::size_t kSteps = 8;
  static constexpr int kStepBits = 3;

  static std::size_t bucketOf(TimeNs ns) {
    if (ns < kSteps) return static_cast<std::size_t>(ns);
    const auto octave = static_cast<std::size_t>(std::bit_width(ns) - 1 - kStepBits);
    return (octave + 1) * kSteps + static_cast<std::size_t>((ns >> octave) - kSteps);
  }
  static TimeNs upperEndNs(std::size_t bucket) {
    if (bucket < kSteps) return bucket;
    const std::size_t octave = bucket / kSteps - 1;
    return ((TimeNs{kSteps} + bucket % kSteps + 1) << octave) - 1;
  }

  std::uint64_t count_ = 0;
  std::uint64_t sumNs_ = 0;
  TimeNs maxNs_ = 0;
  std::array<std::uint32_t, 64 * kSteps> buckets_{};
};

}  // namespace mpd::link
