#pragma once

#include <optional>

#include "wire.h"

namespace mpd::link {

inline constexpr std::uint8_t kIcmp4 = 1;
inline constexpr std::uint8_t kTcp = 6;
inline constexpr std::uint8_t kUdp = 17;
inline constexpr std::uint8_t kIcmp6 = 58;

/// Offsets in an IP packet. All of them lie inside the packet.
struct PacketView {
  bool isIpv6 = false;
  std::size_t addressBytes = 4;
  std::size_t sourceAt = 12;
  std::size_t destinationAt = 16;
  /// Protocol of the payload after the IPv6 extension headers.
  std::uint8_t protocol = 0;
  std::size_t transportAt = 0;
  /// End of the packet by its own length field.
  std::size_t endAt = 0;
  /// A fragment other than the first: it has no transport header.
  bool isLaterFragment = false;

  [[nodiscard]] std::size_t transportBytes() const { return endAt - transportAt; }
};

/// @param mayBeCut for the quote in an ICMP error: the packet may be shorter than its length field
/// @return nothing without a complete IPv4 or IPv6 header
std::optional<PacketView> viewPacket(ConstBytes packet, bool mayBeCut = false);

inline constexpr std::uint8_t kFin = 1;
inline constexpr std::uint8_t kSyn = 2;
inline constexpr std::uint8_t kRst = 4;
inline constexpr std::uint8_t kPsh = 8;
inline constexpr std::uint8_t kAck = 16;
inline constexpr std::uint8_t kCwr = 128;

/// A TCP segment inside a packet.
struct TcpView {
  std::size_t at = 0;
  std::size_t headerBytes = 20;
  std::size_t payloadBytes = 0;
  std::uint8_t flags = 0;

  [[nodiscard]] std::size_t optionsAt() const { return at + 20; }
  [[nodiscard]] std::size_t optionsBytes() const { return headerBytes - 20; }
};

std::optional<TcpView> viewTcp(ConstBytes packet, const PacketView& view);

}  // namespace mpd::link
