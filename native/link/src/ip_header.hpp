#pragma once

#include <cstdint>
#include <span>

namespace mpd::link {

/// Whether the sender understands Congestion Experienced: the ECN field is not 00 (RFC 3168 section 5).
/// False for what is neither IPv4 nor IPv6.
bool isEcnCapable(std::span<const std::uint8_t> packet);

/// Sets the ECN field to 11, Congestion Experienced, and mends the IPv4 header checksum (RFC 1624).
/// @return false, with the packet as it was, where the packet is not ECN-capable
bool markCongestion(std::span<std::uint8_t> packet);

/// A hash of protocol, addresses and ports, spread by the seed; of the addresses alone for fragments and
/// for protocols without ports. The same for every packet of a flow.
std::uint64_t hashFlow(std::span<const std::uint8_t> packet, std::uint64_t seed);

}  // namespace mpd::link
