#pragma once

#include <functional>
#include <memory>

#include "delay_line.hpp"
#include "loss_model.hpp"
#include "packet_queue.hpp"
#include "rate_server.hpp"

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

/// One direction of a link: queue -> rate server -> loss -> delay line.
///
/// A pure state machine over absolute times: it reads no clock and does no I/O. Late calls cost
/// punctuality of delivery, never rate: packet starts are computed from ideal instants.
class LinkDirection {
 public:
  using Deliver = std::function<void(const Packet& packet, TimeNs dueNs)>;

  LinkDirection(std::unique_ptr<PacketQueue> queue, std::uint64_t rateBps, TimeNs delayNs,
                double lossProbability, std::uint64_t seed)
      : queue_(std::move(queue)), server_(rateBps), loss_(lossProbability, seed), line_(delayNs) {}

  /// A packet enters at `nowNs`. Calls must come in order of time.
  void arrive(Packet packet, TimeNs nowNs);

  /// Brings everything up to `nowNs` and hands out the packets that are due.
  void advance(TimeNs nowNs, const Deliver& deliver);

  /// When `advance` next has something to do; kNever when idle.
  [[nodiscard]] TimeNs nextEventNs() const;

  void setRate(std::uint64_t rateBps, TimeNs nowNs);
  void setDelayNs(TimeNs delayNs, TimeNs nowNs);
  void setLoss(double probability, TimeNs nowNs);
  void setState(LinkState state, TimeNs nowNs);

  [[nodiscard]] std::uint64_t rateBps() const { return server_.rateBps(); }
  [[nodiscard]] TimeNs delayNs() const { return line_.delayNs(); }
  [[nodiscard]] double lossProbability() const { return loss_.probability(); }
  [[nodiscard]] const PacketQueue& queue() const { return *queue_; }
  [[nodiscard]] const DirectionStats& stats() const { return stats_; }

 private:
  void serve(TimeNs nowNs);
  void start(Packet packet, TimeNs startNs);

  std::unique_ptr<PacketQueue> queue_;
  RateServer server_;
  BernoulliLoss loss_;
  DelayLine line_;
  Packet inService_;
  TimeNs finishNs_ = kNever;
  LinkState state_ = LinkState::kUp;
  DirectionStats stats_;
};

}  // namespace mpd::link
