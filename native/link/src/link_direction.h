#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "delay_line.h"
#include "jitter.h"
#include "loss_model.h"
#include "outage_schedule.h"
#include "packet_queue.h"
#include "rate_server.h"
#include "rate_trace.h"

namespace mpd::link {

/// `kDown`: no carrier; packets in transit are lost. `kBlackhole`: the interfaces stay up and all packets are
/// lost.
enum class LinkState { kUp, kDown, kBlackhole };

/// Counters run from the start of the direction.
struct DirectionStats {
  std::uint64_t inPackets = 0;
  std::uint64_t inBytes = 0;
  std::uint64_t outPackets = 0;
  std::uint64_t outBytes = 0;
  std::uint64_t queueDrops = 0;
  std::uint64_t lossDrops = 0;
  std::uint64_t stateDrops = 0;
};

/// Initial settings of a direction, besides its queue.
struct DirectionSettings {
  std::uint64_t rateBps = 0;
  TimeNs delayNs = 0;
  LossConfig loss;
  JitterConfig jitter;
};

/// One direction of a link: queue -> rate server -> loss -> delay line.
///
/// A pure state machine over absolute times: it reads no clock and does no I/O. Late calls delay delivery but
/// never lower the rate: packet starts are computed from ideal times.
class LinkDirection {
 public:
  using Deliver = std::function<void(Packet& packet, TimeNs dueNs)>;
  /// Called with the queueing delay of each packet that is sent.
  using Waited = std::function<void(TimeNs waitedNs)>;

  LinkDirection(std::unique_ptr<PacketQueue> queue, const DirectionSettings& settings, std::uint64_t seed);

  /// A packet enters at `nowNs`. Calls must be in order of time.
  void arrive(Packet packet, TimeNs nowNs);

  /// Advances to `nowNs` and delivers the packets that are due.
  void advance(TimeNs nowNs, const Deliver& deliver);

  /// Time of the next event for `advance`; kNever when idle.
  [[nodiscard]] TimeNs nextEventNs() const;

  void setWaited(Waited waited) { waited_ = std::move(waited); }
  /// Ends the current trace, if any.
  void setRate(std::uint64_t rateBps, TimeNs nowNs);
  /// Starts a trace at its beginning.
  void setTrace(std::shared_ptr<const RateTrace> trace, bool loops, TimeNs nowNs);
  /// Keeps the trace's current rate.
  void endTrace(TimeNs nowNs);
  void setDelayNs(TimeNs delayNs, TimeNs nowNs);
  void setJitter(const JitterConfig& jitter, TimeNs nowNs);
  void setLoss(const LossConfig& loss, TimeNs nowNs);
  /// During an outage the direction is a blackhole; the times count from `nowNs`.
  void setOutages(const OutageSchedule& outages, TimeNs nowNs);
  void setState(LinkState state, TimeNs nowNs);

  [[nodiscard]] std::uint64_t rateBps() const { return server_.rateBps(); }
  [[nodiscard]] TimeNs delayNs() const { return delayNs_; }
  [[nodiscard]] const LossConfig& loss() const { return loss_.config(); }
  [[nodiscard]] bool isOut() const { return isOut_; }
  [[nodiscard]] const PacketQueue& queue() const { return *queue_; }
  [[nodiscard]] const DirectionStats& stats() const { return stats_; }

 private:
  void serve(TimeNs nowNs);
  void depart(TimeNs departedNs);
  void startNext(TimeNs startNs);
  void dropUnderWay();
  void followTrace(TimeNs nowNs);
  void followOutages(TimeNs nowNs);
  [[nodiscard]] TimeNs traceChangeNs() const { return trace_ ? trace_->nextChangeNs() : kNever; }

  std::unique_ptr<PacketQueue> queue_;
  RateServer server_;
  LossModel loss_;
  Jitter jitter_;
  TimeNs delayNs_;
  DelayLine line_;
  std::optional<TraceCursor> trace_;
  OutageSchedule outages_;
  TimeNs outageChangeNs_ = kNever;
  bool isOut_ = false;
  std::optional<Packet> inService_;
  /// End of the packet in service; kNever without one, and while the rate is 0.
  TimeNs finishNs_ = kNever;
  LinkState state_ = LinkState::kUp;
  DirectionStats stats_;
  Waited waited_;
};

}  // namespace mpd::link
