#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace mpd::link {

/// Nanoseconds of CLOCK_MONOTONIC. Every time in the emulator is absolute and in this unit.
using TimeNs = std::uint64_t;

inline constexpr TimeNs kNever = UINT64_MAX;
inline constexpr TimeNs kMs = 1'000'000;
inline constexpr TimeNs kSecond = 1'000 * kMs;

/// One IP packet. Move-only; only an ECN mark or a middlebox changes its bytes.
struct Packet {
  std::unique_ptr<std::uint8_t[]> data;
  std::uint32_t sizeBytes = 0;
  TimeNs arrivedNs = 0;
  /// Start of the range of an incomplete checksum, and its position in that range. 0: it is complete. The
  /// kernel leaves the computation to the device, and also accepts an incomplete one.
  std::uint16_t checksumStart = 0;
  std::uint16_t checksumOffset = 0;

  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return {data.get(), sizeBytes}; }
  [[nodiscard]] std::span<std::uint8_t> bytes() { return {data.get(), sizeBytes}; }
};

}  // namespace mpd::link
