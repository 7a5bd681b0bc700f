#pragma once

#include "packet_fifo.hpp"

namespace mpd::link {

/// Parameters of CoDel; the defaults are the constants of RFC 8289 section 5.3.
struct CodelConfig {
  /// TARGET: the standing delay that is acceptable.
  TimeNs targetNs = 5'000'000;
  /// INTERVAL: how long a delay has to stand, about a worst-case round trip.
  TimeNs intervalNs = 100'000'000;
  bool ecn = false;
  /// The size of a full packet: a queue no longer than one is never acted upon (section 5.6).
  std::uint32_t maxPacketBytes = 1'500;
};

/// The CoDel controller of one queue (RFC 8289 section 5): decides at departure, by how long packets
/// have waited and for how long that has been too much.
class Codel {
 public:
  explicit Codel(const CodelConfig& config) : config_(config) {}

  /// Takes the next packet to send from the queue, dropping or marking on the way.
  /// @param dropped grows by the packets dropped  @param marks grows by the packets marked
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
  /// When the delay will have stood above the target for a whole interval; 0: it is not above.
  TimeNs firstAboveNs_ = 0;
  TimeNs dropNextNs_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t lastCount_ = 0;
};

}  // namespace mpd::link
