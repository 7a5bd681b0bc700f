#pragma once

#include "packet_fifo.h"
#include "random.h"

namespace mpd::link {

/// Parameters of PIE, RFC 8033 section 4; the defaults are its recommendations.
struct PieConfig {
  /// QDELAY_REF: target delay of the queue.
  TimeNs targetNs = 15'000'000;
  /// T_UPDATE: period of the drop probability's updates.
  TimeNs updateNs = 15'000'000;
  /// MAX_BURST: time without drops after an idle period.
  TimeNs maxBurstNs = 150'000'000;
  /// Gains in 1/s of the distance from the target and of the trend.
  double alpha = 0.125;
  double beta = 1.25;
  bool ecn = false;
  /// mark_ecnth: above this drop probability ECN-capable packets are dropped too (section 5.1).
  double ecnThreshold = 0.1;
};

enum class PieVerdict { kPass, kMark, kDrop };

/// The PIE controller of one queue (RFC 8033): decides at arrival, by a probability that follows the delay.
/// It takes the delay from the time stamp of the queue's head, as section 4.3 allows. So it estimates no
/// departure rate (section 5.2), and a stalled link counts as delay. It is always active (section 5.3 is
/// optional): below half the target section 4.1 accepts everything anyway.
///
/// There is no timer: updates due since the last event are computed at the next one. The result is the same,
/// because a queue does not change between events.
class Pie {
 public:
  explicit Pie(const PieConfig& config) : config_(config), burstAllowanceNs_(config.maxBurstNs) {}

  /// Decides about a packet before it enters the queue (sections 4.1, 4.4, 5.1 and 5.4; appendix B).
  PieVerdict decide(const PacketFifo& queue, bool ecnCapable, TimeNs nowNs, SplitMix64& random);

  /// Computes the updates due until now. Call it before each change of the queue.
  void catchUp(const PacketFifo& queue, TimeNs nowNs);

  /// A packet was dropped because the queue was full (appendix B).
  void onOverflow() { accumulated_ = 0; }

  [[nodiscard]] double dropProbability() const { return dropProbability_; }

 private:
  void update(TimeNs delayNs);
  [[nodiscard]] bool dropsEarly(const PacketFifo& queue, SplitMix64& random);

  PieConfig config_;
  double dropProbability_ = 0;
  double accumulated_ = 0;
  TimeNs previousDelayNs_ = 0;
  TimeNs burstAllowanceNs_;
  TimeNs nextUpdateNs_ = 0;
};

}  // namespace mpd::link
