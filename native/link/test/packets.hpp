#pragma once

#include "packet.hpp"

/// A packet whose first byte says which one it is.
inline mpd::link::Packet makePacket(std::uint32_t sizeBytes, std::uint8_t id = 0) {
  mpd::link::Packet packet{std::make_unique<std::uint8_t[]>(sizeBytes), sizeBytes, 0};
  packet.data[0] = id;
  return packet;
}
