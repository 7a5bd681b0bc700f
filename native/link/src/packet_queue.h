#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "packet.h"

namespace mpd::link {

/// The buffer of a busy link: a queue discipline.
///
/// Both operations get the (virtual) time of the event, so that a discipline that uses the sojourn time sees
/// ideal times even after a late wake-up. `Packet::arrivedNs` is the time of `enqueue`.
class PacketQueue {
 public:
  virtual ~PacketQueue() = default;

  /// Accepts or drops the packet; may drop others instead. Returns the number of packets dropped by this
  /// call.
  virtual std::uint32_t enqueue(Packet packet, TimeNs nowNs) = 0;

  /// The next packet to send, if any. `dropped` is incremented per packet discarded on the way.
  virtual std::optional<Packet> dequeue(TimeNs nowNs, std::uint32_t& dropped) = 0;

  /// Discards all packets; returns their number.
  virtual std::uint32_t clear() = 0;

  [[nodiscard]] virtual std::size_t sizePackets() const = 0;
  [[nodiscard]] virtual std::uint64_t sizeBytes() const = 0;
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// Packets marked with Congestion Experienced since the start.
  [[nodiscard]] virtual std::uint64_t marks() const { return 0; }
  /// Probability of dropping or marking an arriving packet, if the discipline has one; the maximum over
  /// flows.
  [[nodiscard]] virtual double dropProbability() const { return 0; }
};

}  // namespace mpd::link
