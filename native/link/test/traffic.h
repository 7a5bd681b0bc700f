#pragma once

#include <map>
#include <vector>

#include "duration_stats.h"
#include "link_direction.h"

/// Traffic through one direction on a virtual clock.
namespace traffic {

using mpd::link::DurationStats;
using mpd::link::LinkDirection;
using mpd::link::Packet;
using mpd::link::TimeNs;

/// Packets of one size at constant intervals, without reaction to loss.
struct Steady {
  std::uint16_t flow;
  std::uint32_t sizeBytes;
  TimeNs everyNs;
  TimeNs nextNs = 0;
  std::uint32_t sent = 0;
};

/// A sender that reacts to loss and marks like Reno: slow start, one packet per round trip, half on
/// congestion, restart after a second of silence.
struct Reno {
  std::uint16_t flow;
  bool ecn = false;
  double window = 10;
  double threshold = 1e9;
  double inFlight = 0;
  std::uint32_t nextNumber = 0;
  std::uint32_t expected = 0;
  std::uint32_t recoverFrom = 0;
  TimeNs heardNs = 0;

  void onDelivery(std::uint32_t number, bool isMarked, TimeNs nowNs);
  void onTick(TimeNs nowNs);
};

struct FlowResult {
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
  std::uint64_t marked = 0;
  DurationStats delay;
};

/// Runs the senders until `untilNs` and counts what arrives after `fromNs`.
class Run {
 public:
  Run(LinkDirection direction, std::vector<Steady> steady, std::vector<Reno> reno)
      : direction_(std::move(direction)), steady_(std::move(steady)), reno_(std::move(reno)) {}

  void until(TimeNs fromNs, TimeNs untilNs);

  LinkDirection& direction() { return direction_; }
  FlowResult& flow(std::uint16_t flow) { return results_[flow]; }
  /// The output order of (flow, number): equal for two runs of one seed.
  [[nodiscard]] const std::vector<std::uint64_t>& order() const { return order_; }

 private:
  void send(std::uint16_t flow, std::uint32_t sizeBytes, std::uint32_t number, std::uint8_t ecn);
  void deliver(const Packet& packet, TimeNs dueNs, TimeNs fromNs);

  LinkDirection direction_;
  std::vector<Steady> steady_;
  std::vector<Reno> reno_;
  std::map<std::uint16_t, FlowResult> results_;
  std::map<std::uint64_t, TimeNs> sentNs_;
  std::vector<std::uint64_t> order_;
  TimeNs nowNs_ = 0;
};

}  // namespace traffic
