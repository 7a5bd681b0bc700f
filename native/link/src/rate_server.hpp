#pragma once

#include "packet.hpp"

namespace mpd::link {

/// Serialises packets at a constant rate, to the nanosecond and without drift: what a division
/// leaves over is carried into the next packet, so n packets take exactly the ideal time.
class RateServer {
 public:
  /// @param rateBps bits per second of IP packets (no link-layer overhead), above 0
  explicit RateServer(std::uint64_t rateBps) : rateBps_(rateBps) {}

  /// The instant at which a packet started at `startNs` has left entirely.
  TimeNs finishNs(std::uint32_t sizeBytes, TimeNs startNs);

  /// Changes the rate. Returns the new end of a packet in service that would have ended at
  /// `finishNs`: the bits still to be sent are sent at the new rate.
  TimeNs setRate(std::uint64_t rateBps, TimeNs nowNs, TimeNs finishNs);

  [[nodiscard]] std::uint64_t rateBps() const { return rateBps_; }

 private:
  std::uint64_t rateBps_;
  std::uint64_t carry_ = 0;
};

}  // namespace mpd::link
