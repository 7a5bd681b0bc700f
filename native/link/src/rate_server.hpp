#pragma once

#include "packet.hpp"

namespace mpd::link {

// Bits times nanoseconds pass 64 bits at 100 Gbit/s.
__extension__ using Wide = unsigned __int128;

/// A rate at which packets take no time.
inline constexpr std::uint64_t kUnlimitedBps = UINT64_MAX;

/// Serialises packets at a rate, to the nanosecond and without drift: what a division leaves over is
/// carried into the next packet, so n packets take exactly the ideal time. At a rate of 0 a packet
/// stands still until the rate changes.
class RateServer {
 public:
  /// @param rateBps bits per second of IP packets (no link-layer overhead)
  explicit RateServer(std::uint64_t rateBps) : rateBps_(rateBps) {}

  /// The instant at which a packet started at `startNs` has left entirely; kNever at a rate of 0.
  TimeNs finishNs(std::uint32_t sizeBytes, TimeNs startNs);

  /// Changes the rate. Returns the new end of a packet in service that would have ended at
  /// `finishNs`: the bits still to be sent are sent at the new rate.
  TimeNs setRate(std::uint64_t rateBps, TimeNs nowNs, TimeNs finishNs);

  /// Forgets a packet that stands still.
  void abandon() { stalledWork_ = 0; }

  [[nodiscard]] std::uint64_t rateBps() const { return rateBps_; }

 private:
  std::uint64_t rateBps_;
  std::uint64_t carry_ = 0;
  /// Bits times 1e9 of a packet that stands still.
  Wide stalledWork_ = 0;
};

}  // namespace mpd::link
