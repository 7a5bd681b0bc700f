#pragma once

#include "packet_fifo.h"

namespace mpd::link {

/// Parameters of CoDel; the defaults are the constants of RFC 8289 section 5.3.
struct CodelConfig {
  /// TARGET: the acceptable standing delay.
  TimeNs targetNs = 5'000'000;
  /// INTERVAL: time for which a delay must stand, about a worst-case round trip.
  TimeNs intervalNs = 100'000'000;
  bool ecn = false;
  /// Size of a full packet: a queue of at most one full packet is never dropped from (section 5.6).
  std::uint32_t maxPacketBytes = 1'500;
};

/// The CoDel controller of one queue (RFC 8289 section 5): decides at departure, by the sojourn time and by
/// how long it has been above the target.
class Codel {
 public:
  explicit Codel(const CodelConfig& config) : config_(config) {}

  /// Takes the next packet to send from the queue; drops or marks packets on the way.
  /// @param dropped incremented per dropped packet
  /// @param marks incremented per marked packet
  std::optional<Packet> dequeue(PacketFifo& queue, TimeNs nowNs, std::uint32_t& dropped,
                                std::uint64_t& marks);

  [[nodiscard]] bool isDropping() const { return isDropping_; }

 private:
  struct Head {
    std::optional<Packet> packet;
    bool okToDrop = false;
  };
  Head take(PacketFifo& queue, TimeNs nowNs);
  [[nodiscard]] TimeNs controlLaw(TimeNs fromNs) const;

  CodelConfig config_;
  bool isDropping_ = false;
  /// Time at which the delay will have exceeded the target for a whole interval; 0: below the target.
  TimeNs firstAboveNs_ = 0;
  TimeNs dropNextNs_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t lastCount_ = 0;
};

}  // namespace mpd::link
