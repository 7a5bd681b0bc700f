#include "packets.h"

using mpd::link::Packet;

namespace {

constexpr std::uint32_t kUdp4 = 20;
constexpr std::uint32_t kUdp6 = 40;

void put(Packet& packet, std::uint32_t at, std::uint32_t value, int bytes) {
  for (int i = 0; i < bytes; i += 1) {
    packet.data[at + static_cast<std::uint32_t>(i)] =
        static_cast<std::uint8_t>(value >> (8 * (bytes - 1 - i)));
  }
}

std::uint32_t get(const Packet& packet, std::uint32_t at, int bytes) {
  std::uint32_t value = 0;
  for (int i = 0; i < bytes; i += 1) value = value << 8 | packet.data[at + static_cast<std::uint32_t>(i)];
  return value;
}

std::uint32_t headerSum(const Packet& packet) {
  std::uint32_t sum = 0;
  for (std::uint32_t at = 0; at < kUdp4; at += 2) sum += get(packet, at, 2);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return sum;
}

std::uint32_t udpAt(const Packet& packet) {
  return packet.data[0] >> 4 == 4 ? kUdp4 : kUdp6;
}

void putUdp(Packet& packet, std::uint16_t flow, std::uint32_t number) {
  const std::uint32_t at = udpAt(packet);
  put(packet, at, flow, 2);
  put(packet, at + 2, 9'000, 2);
  put(packet, at + 8, number, 4);
}

}  // namespace

Packet makeUdp4(std::uint32_t sizeBytes, std::uint16_t flow, std::uint32_t number, std::uint8_t ecn) {
  Packet packet = makePacket(sizeBytes, 0x45);
  packet.data[1] = static_cast<std::uint8_t>(0xb8 | ecn);
  put(packet, 2, sizeBytes, 2);
  packet.data[8] = 64;
  packet.data[9] = 17;
  put(packet, 12, 0x0a4d0102, 4);
  put(packet, 16, 0x0a4d0101, 4);
  put(packet, 10, ~headerSum(packet) & 0xffff, 2);
  putUdp(packet, flow, number);
  return packet;
}

Packet makeUdp6(std::uint32_t sizeBytes, std::uint16_t flow, std::uint32_t number, std::uint8_t ecn) {
  Packet packet = makePacket(sizeBytes, 0x60);
  packet.data[1] = static_cast<std::uint8_t>(ecn << 4 | 0x05);
  put(packet, 4, sizeBytes - kUdp6, 2);
  packet.data[6] = 17;
  packet.data[7] = 64;
  packet.data[23] = 2;
  packet.data[39] = 1;
  putUdp(packet, flow, number);
  return packet;
}

std::uint16_t flowOf(const Packet& packet) {
  return static_cast<std::uint16_t>(get(packet, udpAt(packet), 2));
}

std::uint32_t numberOf(const Packet& packet) {
  return get(packet, udpAt(packet) + 8, 4);
}

std::uint8_t ecnOf(const Packet& packet) {
  return static_cast<std::uint8_t>((udpAt(packet) == kUdp4 ? packet.data[1] : packet.data[1] >> 4) & 3);
}

bool hasGoodChecksum(const Packet& packet) {
  return headerSum(packet) == 0xffff;
}
