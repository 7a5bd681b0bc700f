#pragma once

#include "packet.h"

/// A packet whose first byte identifies it.
inline mpd::link::Packet makePacket(std::uint32_t sizeBytes, std::uint8_t id = 0) {
  mpd::link::Packet packet{std::make_unique<std::uint8_t[]>(sizeBytes), sizeBytes, 0};
  packet.data[0] = id;
  return packet;
}

/// A UDP packet over IPv4 with a valid header checksum that carries a number.
/// @param flow the source port
/// @param ecn the ECN field, 0 to 3
mpd::link::Packet makeUdp4(std::uint32_t sizeBytes, std::uint16_t flow, std::uint32_t number = 0,
                           std::uint8_t ecn = 0);
/// The same over IPv6.
mpd::link::Packet makeUdp6(std::uint32_t sizeBytes, std::uint16_t flow, std::uint32_t number = 0,
                           std::uint8_t ecn = 0);

std::uint16_t flowOf(const mpd::link::Packet& packet);
std::uint32_t numberOf(const mpd::link::Packet& packet);
std::uint8_t ecnOf(const mpd::link::Packet& packet);
/// True if the IPv4 header checksum is valid (RFC 1071).
bool hasGoodChecksum(const mpd::link::Packet& packet);
