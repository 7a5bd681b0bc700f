#pragma once

#include <cstdint>

namespace mpd::link {

/// Capacity of a queue: both bounds apply, each inclusive.
struct QueueLimit {
  std::uint64_t bytes = UINT64_MAX;
  std::uint64_t packets = UINT64_MAX;

  [[nodiscard]] bool fits(std::uint64_t sizeBytes, std::uint64_t sizePackets) const {
    return sizeBytes <= bytes && sizePackets <= packets;
  }
};

}  // namespace mpd::link
