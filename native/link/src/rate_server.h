#pragma once

#include "packet.h"

namespace mpd::link {

// Bits times nanoseconds exceed 64 bits at 100 Gbit/s.
__extension__ using Wide = unsigned __int128;

/// A rate without serialisation delay.
inline constexpr std::uint64_t kUnlimitedBps = UINT64_MAX;

/// Serialises packets at a rate, exact to the nanosecond and without drift. The remainder of each division is
/// carried into the next packet, so n packets take exactly the ideal time. At a rate of 0 a packet stands
/// still until the rate changes.
class RateServer {
 public:
  /// @param rateBps bits per second of IP packets (no link-layer overhead)
  explicit RateServer(std::uint64_t rateBps) : rateBps_(rateBps) {}

  /// End of serialisation of a packet started at `startNs`; kNever at a rate of 0.
  TimeNs finishNs(std::uint32_t sizeBytes, TimeNs startNs);

  /// Changes the rate. Returns the new end of the packet in service that would have ended at `finishNs`: its
  /// remaining bits use the new rate.
  TimeNs setRate(std::uint64_t rateBps, TimeNs nowNs, TimeNs finishNs);

  /// Discards a standing packet.
  void abandon() { stalledWork_ = 0; }

  [[nodiscard]] std::uint64_t rateBps() const { return rateBps_; }

 private:
  std::uint64_t rateBps_;
  std::uint64_t carry_ = 0;
  /// Remaining bits of a standing packet, times 1e9.
  Wide stalledWork_ = 0;
};

}  // namespace mpd::link
