#pragma once

#include <optional>

#include "wire.hpp"

namespace mpd::link {

inline constexpr std::uint8_t kIcmp4 = 1;
inline constexpr std::uint8_t kTcp = 6;
inline constexpr std::uint8_t kUdp = 17;
inline constexpr std::uint8_t kIcmp6 = 58;

/// Where things are in an IP packet. All offsets lie inside the packet it was made from.
struct PacketView {
  bool isIpv6 = false;
  std::size_t addressBytes = 4;
  std::size_t sourceAt = 12;
  std::size_t destinationAt = 16;
  /// Of what comes after the IPv6 extension headers.
  std::uint8_t protocol = 0;
  std::size_t transportAt = 0;
  /// Where the packet ends by its own length field.
  std::size_t endAt = 0;
  /// A fragment other than the first: it has no transport header.
  bool isLaterFragment = false;

  [[nodiscard]] std::size_t transportBytes() const { return endAt - transportAt; }
};

/// @param mayBeCut what an ICMP error quotes: the packet may be shorter than it says
/// @return nothing for what is not a whole IPv4 or IPv6 header with all it announces
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
