#include "packets.h"

#include "checksum.h"

using namespace mpd::link;

namespace {

std::size_t udpAt(const Packet& packet) {
  return packet.data[0] >> 4 == 4 ? kHeader4Bytes : kHeader6Bytes;
}

void putUdp(Packet& packet, std::uint16_t flow, std::uint32_t number) {
  const std::size_t at = udpAt(packet);
  const Bytes bytes = packet.bytes();
  store16(bytes, at, flow);
  store16(bytes, at + 2, 9'000);
  store32(bytes, at + 8, number);
}

}  // namespace

Packet makeUdp4(std::uint32_t sizeBytes, std::uint16_t flow, std::uint32_t number, std::uint8_t ecn) {
  Packet packet = makePacket(sizeBytes, 0x45);
  const Bytes bytes = packet.bytes();
  bytes[1] = static_cast<std::uint8_t>(0xb8 | ecn);
  store16(bytes, 2, sizeBytes);
  bytes[8] = 64;
  bytes[9] = kUdp;
  store32(bytes, 12, 0x0a4d0102);
  store32(bytes, 16, 0x0a4d0101);
  setIpv4Checksum(bytes, kHeader4Bytes);
  putUdp(packet, flow, number);
  return packet;
}

Packet makeUdp6(std::uint32_t sizeBytes, std::uint16_t flow, std::uint32_t number, std::uint8_t ecn) {
  Packet packet = makePacket(sizeBytes, 0x60);
  const Bytes bytes = packet.bytes();
  bytes[1] = static_cast<std::uint8_t>(ecn << 4 | 0x05);
  store16(bytes, 4, sizeBytes - static_cast<std::uint32_t>(kHeader6Bytes));
  bytes[6] = kUdp;
  bytes[7] = 64;
  bytes[23] = 2;
  bytes[39] = 1;
  putUdp(packet, flow, number);
  return packet;
}

std::uint16_t flowOf(const Packet& packet) {
  return load16(packet.bytes(), udpAt(packet));
}

std::uint32_t numberOf(const Packet& packet) {
  return load32(packet.bytes(), udpAt(packet) + 8);
}

std::uint8_t ecnOf(const Packet& packet) {
  const bool isIpv4 = udpAt(packet) == kHeader4Bytes;
  return static_cast<std::uint8_t>((isIpv4 ? packet.data[1] : packet.data[1] >> 4) & 3);
}

bool hasGoodChecksum(const Packet& packet) {
  return sumWords(packet.bytes().first(kHeader4Bytes)) == 0xffff;
}
