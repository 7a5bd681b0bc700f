#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "delay_line.hpp"
#include "jitter.hpp"
#include "loss_model.hpp"
#include "outage_schedule.hpp"
#include "packet_queue.hpp"
#include "rate_server.hpp"
#include "rate_trace.hpp"

namespace mpd::link {

/// `kDown`: no carrier, and what was under way is lost. `kBlackhole`: the interfaces stay up and
/// everything vanishes.
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

/// What a direction starts with, besides its queue.
struct DirectionSettings {
  std::uint64_t rateBps = 0;
  TimeNs delayNs = 0;
  LossConfig loss;
  JitterConfig jitter;
};

/// One direction of a link: queue -> rate server -> loss -> delay line.
///
/// A pure state machine over absolute times: it reads no clock and does no I/O. Late calls cost
/// punctuality of delivery, never rate: packet starts are computed from ideal instants.
class LinkDirection {
 public:
  using Deliver = std::function<void(Packet& packet, TimeNs dueNs)>;
  /// Told how long each packet that is sent has waited in the queue.
  using Waited = std::function<void(TimeNs waitedNs)>;

  LinkDirection(std::unique_ptr<PacketQueue> queue, const DirectionSettings& settings, std::uint64_t seed);

  /// A packet enters at `nowNs`. Calls must come in order of time.
  void arrive(Packet packet, TimeNs nowNs);

  /// Brings everything up to `nowNs` and hands out the packets that are due.
  void advance(TimeNs nowNs, const Deliver& deliver);

  /// When `advance` next has something to do; kNever when idle.
  [[nodiscard]] TimeNs nextEventNs() const;

  void setWaited(Waited waited) { waited_ = std::move(waited); }
  /// Ends a trace, if one was followed.
  void setRate(std::uint64_t rateBps, TimeNs nowNs);
  /// Follows a trace from its beginning.
  void setTrace(std::shared_ptr<const RateTrace> trace, bool loops, TimeNs nowNs);
  /// Keeps the rate the trace has reached.
  void endTrace(TimeNs nowNs);
  void setDelayNs(TimeNs delayNs, TimeNs nowNs);
  void setJitter(const JitterConfig& jitter, TimeNs nowNs);
  void setLoss(const LossConfig& loss, TimeNs nowNs);
  /// During an outage the direction is a black hole; the instants count from `nowNs`.
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
  /// When the packet in service has left; kNever without one, and while the rate is 0.
  TimeNs finishNs_ = kNever;
  LinkState state_ = LinkState::kUp;
  DirectionStats stats_;
  Waited waited_;
};

}  // namespace mpd::link
