#include "ip_header.h"

#include "random.h"
#include "wire.h"

namespace mpd::link {

namespace {

constexpr std::uint8_t kEcnMask = 3;

bool isIpv4(ConstBytes packet) {
  return packet.size() >= kHeader4Bytes && packet[0] >> 4 == 4;
}

bool isIpv6(ConstBytes packet) {
  return packet.size() >= kHeader6Bytes && packet[0] >> 4 == 6;
}

/// TCP, UDP, DCCP, SCTP and UDP-Lite begin with both ports.
bool hasPorts(std::uint8_t protocol) {
  return protocol == 6 || protocol == 17 || protocol == 33 || protocol == 132 || protocol == 136;
}

std::uint64_t hashBytes(ConstBytes bytes, std::uint64_t hash) {
  std::uint64_t word = 0;
  std::size_t filled = 0;
  for (const std::uint8_t byte : bytes) {
    word = (word << 8) | byte;
    filled += 1;
    if (filled % 8 == 0) hash = SplitMix64::mix(hash ^ word) + word;
  }
  return filled % 8 == 0 ? hash : SplitMix64::mix(hash ^ word) + word;
}

std::uint64_t hashPorts(ConstBytes packet, std::size_t offset, std::uint8_t protocol, std::uint64_t hash) {
  hash = SplitMix64::mix(hash ^ protocol);
  if (!hasPorts(protocol) || packet.size() < offset + 4) return hash;
  return hashBytes(packet.subspan(offset, 4), hash);
}

}  // namespace

bool isEcnCapable(ConstBytes packet) {
  if (isIpv4(packet)) return (packet[1] & kEcnMask) != 0;
  return isIpv6(packet) && (packet[1] >> 4 & kEcnMask) != 0;
}

bool markCongestion(std::span<std::uint8_t> packet) {
  if (!isEcnCapable(packet)) return false;
  if (isIpv6(packet)) {
    packet[1] = static_cast<std::uint8_t>(packet[1] | kEcnMask << 4);
    return true;
  }
  const std::uint8_t before = packet[1];
  packet[1] |= kEcnMask;
  // RFC 1624 equation 3: HC' = ~(~HC + ~m + m'). The version octet is the same in both words.
  const std::uint32_t checksum = static_cast<std::uint32_t>(packet[10] << 8 | packet[11]);
  std::uint32_t sum = (~checksum & 0xffff) + (~std::uint32_t{before} & 0xffff) + packet[1];
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  packet[10] = static_cast<std::uint8_t>(~sum >> 8);
  packet[11] = static_cast<std::uint8_t>(~sum);
  return true;
}

std::uint64_t hashFlow(ConstBytes packet, std::uint64_t seed) {
  const std::uint64_t hash = SplitMix64::mix(seed + 1);
  if (isIpv4(packet)) {
    const std::size_t headerBytes = static_cast<std::size_t>(packet[0] & 15) * 4;
    // A fragment: the ports are not in every one of them.
    const bool isFragment = (packet[6] & 0x3f) != 0 || packet[7] != 0;
    const std::uint64_t addresses = hashBytes(packet.subspan(12, 8), hash);
    return isFragment ? addresses : hashPorts(packet, headerBytes, packet[9], addresses);
  }
  if (!isIpv6(packet)) return hash;
  return hashPorts(packet, kHeader6Bytes, packet[6], hashBytes(packet.subspan(8, 32), hash));
}

}  // namespace mpd::link
