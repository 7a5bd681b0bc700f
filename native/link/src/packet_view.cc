#include "packet_view.h"

#include <algorithm>

namespace mpd::link {

namespace {

constexpr std::uint8_t kHopByHop = 0;
constexpr std::uint8_t kRouting = 43;
constexpr std::uint8_t kFragment = 44;
constexpr std::uint8_t kDestination = 60;

std::optional<PacketView> viewIpv4(ConstBytes packet, bool mayBeCut) {
  if (packet.size() < kHeader4Bytes) return std::nullopt;
  const std::size_t headerBytes = static_cast<std::size_t>(packet[0] & 15) * 4;
  std::size_t endAt = load16(packet, 2);
  if (mayBeCut) endAt = std::min(endAt, packet.size());
  if (headerBytes < kHeader4Bytes || headerBytes > endAt || endAt > packet.size()) return std::nullopt;
  PacketView view;
  view.protocol = packet[9];
  view.transportAt = headerBytes;
  view.endAt = endAt;
  view.isLaterFragment = (load16(packet, 6) & 0x1fff) != 0;
  return view;
}

std::optional<PacketView> viewIpv6(ConstBytes packet, bool mayBeCut) {
  if (packet.size() < kHeader6Bytes) return std::nullopt;
  std::size_t endAt = kHeader6Bytes + load16(packet, 4);
  if (mayBeCut) endAt = std::min(endAt, packet.size());
  if (endAt > packet.size()) return std::nullopt;
  PacketView view{true, 16, 8, 24, packet[6], kHeader6Bytes, endAt, false};
  // RFC 8200 section 4. Each step advances by at least 8 bytes, so the loop ends.
  while (view.protocol == kHopByHop || view.protocol == kRouting || view.protocol == kFragment ||
         view.protocol == kDestination) {
    const std::size_t at = view.transportAt;
    if (at + 8 > endAt) return std::nullopt;
    const bool isFragment = view.protocol == kFragment;
    if (isFragment && (load16(packet, at + 2) & 0xfff8) != 0) view.isLaterFragment = true;
    const std::size_t bytes = isFragment ? 8 : (std::size_t{packet[at + 1]} + 1) * 8;
    view.protocol = packet[at];
    view.transportAt = at + bytes;
    if (view.transportAt > endAt) return std::nullopt;
    if (view.isLaterFragment) break;
  }
  return view;
}

}  // namespace

std::optional<PacketView> viewPacket(ConstBytes packet, bool mayBeCut) {
  if (packet.empty()) return std::nullopt;
  if (packet[0] >> 4 == 4) return viewIpv4(packet, mayBeCut);
  return packet[0] >> 4 == 6 ? viewIpv6(packet, mayBeCut) : std::nullopt;
}

std::optional<TcpView> viewTcp(ConstBytes packet, const PacketView& view) {
  if (view.protocol != kTcp || view.isLaterFragment || view.transportBytes() < 20) return std::nullopt;
  TcpView tcp;
  tcp.at = view.transportAt;
  tcp.headerBytes = static_cast<std::size_t>(packet[tcp.at + 12] >> 4) * 4;
  if (tcp.headerBytes < 20 || tcp.headerBytes > view.transportBytes()) return std::nullopt;
  tcp.payloadBytes = view.transportBytes() - tcp.headerBytes;
  tcp.flags = packet[tcp.at + 13];
  return tcp;
}

}  // namespace mpd::link
