#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

/// Numbers in packets: the most significant byte first. Callers check bounds.
namespace mpd::link {

using ConstBytes = std::span<const std::uint8_t>;
using Bytes = std::span<std::uint8_t>;

/// The IPv4 header without options, and its checksum's position (RFC 791 section 3.1).
inline constexpr std::size_t kHeader4Bytes = 20;
inline constexpr std::size_t kIpv4ChecksumAt = 10;
/// The IPv6 header (RFC 8200 section 3).
inline constexpr std::size_t kHeader6Bytes = 40;

inline std::uint16_t load16(ConstBytes bytes, std::size_t at) {
  return static_cast<std::uint16_t>(bytes[at] << 8 | bytes[at + 1]);
}

inline std::uint32_t load32(ConstBytes bytes, std::size_t at) {
  return std::uint32_t{load16(bytes, at)} << 16 | load16(bytes, at + 2);
}

inline void store16(Bytes bytes, std::size_t at, std::uint32_t value) {
  bytes[at] = static_cast<std::uint8_t>(value >> 8);
  bytes[at + 1] = static_cast<std::uint8_t>(value);
}

inline void store32(Bytes bytes, std::size_t at, std::uint32_t value) {
  store16(bytes, at, value >> 16);
  store16(bytes, at + 2, value);
}

}  // namespace mpd::link
