#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace mpd::link {

/// Nanoseconds of CLOCK_MONOTONIC. Every time in the emulator is absolute and in this unit.
using TimeNs = std::uint64_t;

inline constexpr TimeNs kNever = UINT64_MAX;

/// One IP packet. Moves only; nothing but an ECN mark and a middlebox changes the bytes.
struct Packet {
  std::unique_ptr<std::uint8_t[]> data;
  std::uint32_t sizeBytes = 0;
  TimeNs arrivedNs = 0;
  /// Where the range of a checksum begins that is still to be computed, and where in that range it goes: the
  /// kernel leaves that to the device, and takes it unfinished too. 0: it is complete.
  std::uint16_t checksumStart = 0;
  std::uint16_t checksumOffset = 0;

  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return {data.get(), sizeBytes}; }
  [[nodiscard]] std::span<std::uint8_t> bytes() { return {data.get(), sizeBytes}; }
};

}  // namespace mpd::link
