#include "checksum.h"

namespace mpd::link {

namespace {

std::uint32_t fold(std::uint64_t sum) {
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<std::uint32_t>(sum);
}

}  // namespace

std::uint32_t sumWords(ConstBytes bytes, std::uint32_t initial) {
  std::uint64_t sum = initial;
  std::size_t at = 0;
  for (; at + 4 <= bytes.size(); at += 4) sum += load32(bytes, at);
  for (; at + 2 <= bytes.size(); at += 2) sum += load16(bytes, at);
  if (at < bytes.size()) sum += std::uint64_t{bytes[at]} << 8;
  return fold(sum);
}

std::uint32_t pseudoHeaderSum(ConstBytes packet, const PacketView& view, std::uint32_t transportBytes) {
  const std::uint32_t addresses = sumWords(packet.subspan(view.sourceAt, 2 * view.addressBytes));
  return fold(std::uint64_t{addresses} + view.protocol + transportBytes);
}

void setIpv4Checksum(Bytes packet, std::size_t headerBytes) {
  store16(packet, kIpv4ChecksumAt, 0);
  store16(packet, kIpv4ChecksumAt, ~sumWords(packet.first(headerBytes)));
}

void patchChecksum(Bytes packet, std::size_t at, std::uint32_t before, std::uint32_t after) {
  const std::uint32_t inverted = ~std::uint32_t{load16(packet, at)} & 0xffff;
  const std::uint32_t removed = ~before & 0xffff;
  store16(packet, at, ~fold(std::uint64_t{inverted} + removed + after));
}

void completeChecksum(Packet& packet) {
  if (packet.checksumStart == 0) return;
  const Bytes bytes = packet.bytes();
  const std::size_t fieldAt = std::size_t{packet.checksumStart} + packet.checksumOffset;
  const std::uint32_t sum = sumWords(bytes.subspan(packet.checksumStart));
  // 0 means "no checksum" in UDP (RFC 768); 0xffff is its equivalent everywhere.
  const std::uint32_t checksum = ~sum & 0xffff;
  store16(bytes, fieldAt, checksum == 0 ? 0xffff : checksum);
  packet.checksumStart = 0;
  packet.checksumOffset = 0;
}

}  // namespace mpd::link
