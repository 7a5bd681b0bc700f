#include "segments.h"

#include <algorithm>
#include <cstring>

#include "checksum.h"

using namespace mpd::link;

namespace {

std::size_t headerBytesOf(const Segment& segment) {
  return segment.isIpv6 ? kHeader6Bytes : kHeader4Bytes;
}

/// An IP packet with room for `transportBytes`.
Packet makeIp(const Segment& segment, std::uint8_t protocol, std::uint32_t transportBytes) {
  const auto headerBytes = static_cast<std::uint32_t>(headerBytesOf(segment));
  const std::uint32_t size = headerBytes + transportBytes;
  Packet packet{std::make_unique<std::uint8_t[]>(size), size, 0};
  const Bytes bytes = packet.bytes();
  if (segment.isIpv6) {
    bytes[0] = 0x60;
    bytes[1] = static_cast<std::uint8_t>(segment.ecn << 4);
    store16(bytes, 4, transportBytes);
    bytes[6] = protocol;
    bytes[7] = 64;
    bytes[8] = bytes[24] = 0xfd;
    bytes[23] = segment.source;
    bytes[39] = segment.destination;
  } else {
    bytes[0] = 0x45;
    bytes[1] = segment.ecn;
    store16(bytes, 2, size);
    store16(bytes, 4, 7);
    store16(bytes, 6, 0x4000);
    bytes[8] = 64;
    bytes[9] = protocol;
    bytes[12] = bytes[16] = 10;
    bytes[15] = segment.source;
    bytes[19] = segment.destination;
    setIpv4Checksum(bytes, headerBytes);
  }
  for (std::uint32_t at = headerBytes; at < size; at += 1) bytes[at] = static_cast<std::uint8_t>(at * 7);
  return packet;
}

std::uint32_t transportSum(const Packet& packet, const PacketView& view) {
  const bool hasPseudoHeader = view.protocol != kIcmp4;
  const auto size = static_cast<std::uint32_t>(view.transportBytes());
  const std::uint32_t pseudo = hasPseudoHeader ? pseudoHeaderSum(packet.bytes(), view, size) : 0;
  return sumWords(packet.bytes().subspan(view.transportAt, view.transportBytes()), pseudo);
}

void finish(Packet& packet, std::size_t offset) {
  const PacketView view = *viewPacket(packet.bytes());
  store16(packet.bytes(), view.transportAt + offset, 0);
  store16(packet.bytes(), view.transportAt + offset, ~transportSum(packet, view));
}

}  // namespace

Packet makeTcp(const Segment& segment) {
  std::vector<std::uint8_t> options = segment.options;
  while (options.size() % 4 != 0) options.push_back(1);
  const auto headerBytes = static_cast<std::uint32_t>(20 + options.size());
  Packet packet = makeIp(segment, kTcp, headerBytes + segment.payloadBytes);
  const Bytes bytes = packet.bytes();
  const std::size_t at = headerBytesOf(segment);
  store16(bytes, at, segment.sourcePort);
  store16(bytes, at + 2, segment.destinationPort);
  store32(bytes, at + 4, segment.sequence);
  store32(bytes, at + 8, segment.acknowledged);
  bytes[at + 12] = static_cast<std::uint8_t>(headerBytes / 4 << 4);
  bytes[at + 13] = segment.flags;
  store16(bytes, at + 14, 4'096);
  store16(bytes, at + 18, 0);
  std::ranges::copy(options, bytes.subspan(at + 20).begin());
  finish(packet, 16);
  return packet;
}

Packet makeUdp(const Segment& segment) {
  Packet packet = makeIp(segment, kUdp, 8 + segment.payloadBytes);
  const std::size_t at = headerBytesOf(segment);
  store16(packet.bytes(), at, segment.sourcePort);
  store16(packet.bytes(), at + 2, segment.destinationPort);
  store16(packet.bytes(), at + 4, 8 + segment.payloadBytes);
  finish(packet, 6);
  return packet;
}

Packet makeIcmp(const Segment& segment, std::uint8_t type, const std::vector<std::uint8_t>& rest) {
  const auto size = static_cast<std::uint32_t>(4 + rest.size());
  Packet packet = makeIp(segment, segment.isIpv6 ? kIcmp6 : kIcmp4, size);
  const std::size_t at = headerBytesOf(segment);
  packet.data[at] = type;
  packet.data[at + 1] = 0;
  std::ranges::copy(rest, packet.bytes().subspan(at + 4).begin());
  finish(packet, 2);
  return packet;
}

bool hasGoodChecksums(const Packet& packet) {
  const auto view = viewPacket(packet.bytes());
  if (!view) return false;
  if (!view->isIpv6 && sumWords(packet.bytes().first(view->transportAt)) != 0xffff) return false;
  return transportSum(packet, *view) == 0xffff;
}

Packet copyOf(const Packet& packet) {
  Packet copy{std::make_unique<std::uint8_t[]>(packet.sizeBytes), packet.sizeBytes, packet.arrivedNs,
              packet.checksumStart, packet.checksumOffset};
  std::memcpy(copy.data.get(), packet.data.get(), packet.sizeBytes);
  return copy;
}

std::uint8_t sourceOf(const Packet& packet) {
  return packet.data[packet.data[0] >> 4 == 6 ? 23 : 15];
}

std::uint8_t destinationOf(const Packet& packet) {
  return packet.data[packet.data[0] >> 4 == 6 ? 39 : 19];
}

TcpView tcpOf(const Packet& packet) {
  const auto view = viewPacket(packet.bytes());
  const auto tcp = view ? viewTcp(packet.bytes(), *view) : std::nullopt;
  return tcp.value_or(TcpView{});
}
