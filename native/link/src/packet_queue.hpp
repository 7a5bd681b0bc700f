#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "packet.hpp"

namespace mpd::link {

/// What a queue holds packets by while the link is busy: a queue discipline.
///
/// Both sides carry the (virtual) time of the event, so that a queue that decides by sojourn time
/// sees ideal instants even when the process woke up late. `Packet::arrivedNs` is the instant of
/// `enqueue`.
class PacketQueue {
 public:
  virtual ~PacketQueue() = default;

  /// Takes the packet or drops it; a queue may drop others in its place. Returns how many packets
  /// were dropped by this call.
  virtual std::uint32_t enqueue(Packet packet, TimeNs nowNs) = 0;

  /// The packet to send next, if any. `dropped` grows by the packets thrown away to get there.
  virtual std::optional<Packet> dequeue(TimeNs nowNs, std::uint32_t& dropped) = 0;

  /// Throws everything away; returns how many packets that were.
  virtual std::uint32_t clear() = 0;

  [[nodiscard]] virtual std::size_t sizePackets() const = 0;
  [[nodiscard]] virtual std::uint64_t sizeBytes() const = 0;
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// Packets marked with Congestion Experienced since the start.
  [[nodiscard]] virtual std::uint64_t marks() const { return 0; }
  /// The probability an arriving packet is dropped or marked with, where the discipline has one; the
  /// highest of all flows where each has its own.
  [[nodiscard]] virtual double dropProbability() const { return 0; }
};

}  // namespace mpd::link
