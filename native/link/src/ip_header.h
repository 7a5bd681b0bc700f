#pragma once

#include <cstdint>
#include <span>

namespace mpd::link {

/// True if the sender supports Congestion Experienced: the ECN field is not 00 (RFC 3168 section 5). False
/// for anything but IPv4 and IPv6.
bool isEcnCapable(std::span<const std::uint8_t> packet);

/// Sets the ECN field to 11, Congestion Experienced, and updates the IPv4 header checksum (RFC 1624).
/// @return false, without a change, if the packet is not ECN-capable
bool markCongestion(std::span<std::uint8_t> packet);

/// A seeded hash of protocol, addresses and ports; of the addresses alone for fragments and for protocols
/// without ports. Equal for every packet of a flow.
std::uint64_t hashFlow(std::span<const std::uint8_t> packet, std::uint64_t seed);

}  // namespace mpd::link
