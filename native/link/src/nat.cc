#include "nat.h"

#include <arpa/inet.h>

#include <algorithm>
#include <string>

#include "checksum.h"
#include "random.h"

namespace mpd::link {

namespace {

constexpr std::uint32_t kFirstPort = 1'024;
constexpr std::uint8_t kEchoRequest4 = 8;
constexpr std::uint8_t kEchoReply4 = 0;
constexpr std::uint8_t kEchoRequest6 = 128;
constexpr std::uint8_t kEchoReply6 = 129;

/// Idle time after which a mapping may be reused (RFC 5382 REQ-5, RFC 4787 REQ-5, RFC 5508 REQ-1).
TimeNs lifetimeNs(std::uint8_t protocol) {
  if (protocol == kTcp) return 7'440 * kSecond;
  return protocol == kUdp ? 300 * kSecond : 60 * kSecond;
}

/// Offsets of a packet's identifier and checksum.
struct Fields {
  std::size_t portAt = 0;
  /// 0: the packet is too short, or the protocol has none.
  std::size_t checksumAt = 0;
  bool coversAddresses = true;
};

bool isEcho(std::uint8_t type, bool isIpv6) {
  return isIpv6 ? type == kEchoRequest6 || type == kEchoReply6 : type == kEchoRequest4 || type == kEchoReply4;
}

bool isError(std::uint8_t type, bool isIpv6) {
  return isIpv6 ? type >= 1 && type <= 4 : type == 3 || type == 11 || type == 12;
}

bool isIcmp(const PacketView& view) {
  return view.protocol == (view.isIpv6 ? kIcmp6 : kIcmp4);
}

/// @param isSource the source port, else the destination port
std::optional<Fields> fieldsOf(ConstBytes packet, const PacketView& view, bool isSource) {
  const std::size_t at = view.transportAt;
  if (view.isLaterFragment || view.transportBytes() < 8) return std::nullopt;
  if (isIcmp(view)) {
    if (!isEcho(packet[at], view.isIpv6)) return std::nullopt;
    return Fields{at + 4, at + 2, view.isIpv6};
  }
  const std::size_t portAt = at + (isSource ? 0 : 2);
  if (view.protocol == kTcp) return Fields{portAt, view.transportBytes() >= 18 ? at + 16 : 0, true};
  if (view.protocol != kUdp) return std::nullopt;
  // A packet without a checksum needs no update (RFC 768).
  return Fields{portAt, load16(packet, at + 6) == 0 ? 0 : at + 6, true};
}

/// Writes an address, and a port if there is one, and updates their checksums.
void rewrite(Bytes packet, const PacketView& view, std::size_t addressAt, ConstBytes address,
             const std::optional<Fields>& fields, std::uint16_t port) {
  const Bytes field = packet.subspan(addressAt, view.addressBytes);
  const std::uint32_t before = sumWords(field);
  std::ranges::copy(address, field.begin());
  const std::uint32_t after = sumWords(field);
  if (!view.isIpv6) patchChecksum(packet, kIpv4ChecksumAt, before, after);
  if (!fields) return;
  const std::uint32_t portBefore = load16(packet, fields->portAt);
  store16(packet, fields->portAt, port);
  if (fields->checksumAt == 0) return;
  if (fields->coversAddresses) patchChecksum(packet, fields->checksumAt, before, after);
  patchChecksum(packet, fields->checksumAt, portBefore, port);
  const bool isUdp = view.protocol == kUdp;
  if (isUdp && load16(packet, fields->checksumAt) == 0) store16(packet, fields->checksumAt, 0xffff);
}

bool staysLocal(ConstBytes packet, const PacketView& view) {
  const std::uint8_t* const source = packet.data() + view.sourceAt;
  const std::uint8_t* const destination = packet.data() + view.destinationAt;
  if (!view.isIpv6) return destination[0] >= 224 || (source[0] == 169 && source[1] == 254);
  return destination[0] == 0xff || (source[0] == 0xfe && (source[1] & 0xc0) == 0x80);
}

}  // namespace

std::optional<NatAddress> NatAddress::parse(std::string_view text) {
  const std::string copy(text);
  NatAddress address;
  if (inet_pton(AF_INET, copy.c_str(), address.bytes.data()) == 1) return address;
  address.isIpv6 = true;
  if (inet_pton(AF_INET6, copy.c_str(), address.bytes.data()) == 1) return address;
  return std::nullopt;
}

std::size_t Nat::EndpointHash::operator()(const Endpoint& endpoint) const {
  std::uint64_t hash = std::uint64_t{endpoint.protocol} << 16 | endpoint.port;
  for (const std::uint8_t byte : endpoint.address) hash = SplitMix64::mix(hash ^ byte) + hash;
  return hash;
}

bool Nat::isFree(std::uint8_t protocol, std::uint16_t port, TimeNs nowNs) {
  const auto taken = outside_.find(std::uint32_t{protocol} << 16 | port);
  if (taken == outside_.end()) return true;
  const auto mapping = mappings_.find(taken->second);
  if (nowNs - mapping->second.usedNs < lifetimeNs(protocol)) return false;
  mappings_.erase(mapping);
  outside_.erase(taken);
  return true;
}

std::optional<std::uint16_t> Nat::outsidePortOf(const Endpoint& inside, TimeNs nowNs) {
  if (const auto known = mappings_.find(inside); known != mappings_.end()) {
    known->second.usedNs = nowNs;
    return known->second.outsidePort;
  }
  std::uint32_t port = inside.port;
  for (std::uint32_t tries = 0; !isFree(inside.protocol, static_cast<std::uint16_t>(port), nowNs);) {
    tries += 1;
    if (tries > 0xffff - kFirstPort) return std::nullopt;
    port = port >= 0xffff || port < kFirstPort ? kFirstPort : port + 1;
  }
  const auto outsidePort = static_cast<std::uint16_t>(port);
  mappings_.insert({inside, {outsidePort, nowNs}});
  outside_.insert({std::uint32_t{inside.protocol} << 16 | port, inside});
  return outsidePort;
}

const Nat::Endpoint* Nat::insideOf(std::uint8_t protocol, std::uint16_t port, TimeNs nowNs) {
  const auto found = outside_.find(std::uint32_t{protocol} << 16 | port);
  if (found == outside_.end()) return nullptr;
  mappings_.find(found->second)->second.usedNs = nowNs;
  return &found->second;
}

Nat::Result Nat::outbound(Bytes packet, TimeNs nowNs) {
  const std::optional<PacketView> view = viewPacket(packet);
  if (!view || view->isIpv6 != address_.isIpv6 || staysLocal(packet, *view)) return Result::kPassed;
  if (isIcmp(*view) && !view->isLaterFragment && view->transportBytes() >= 8 &&
      isError(packet[view->transportAt], view->isIpv6)) {
    return quoted(packet, *view, true);
  }
  const std::optional<Fields> fields = fieldsOf(packet, *view, true);
  std::uint16_t port = 0;
  if (fields) {
    Endpoint inside{view->protocol, load16(packet, fields->portAt), {}};
    std::ranges::copy(packet.subspan(view->sourceAt, view->addressBytes), inside.address.begin());
    const auto outsidePort = outsidePortOf(inside, nowNs);
    if (!outsidePort) return Result::kDropped;
    port = *outsidePort;
  }
  rewrite(packet, *view, view->sourceAt, address_.used(), fields, port);
  return Result::kRewritten;
}

Nat::Result Nat::inbound(Bytes packet, TimeNs nowNs) {
  const std::optional<PacketView> view = viewPacket(packet);
  if (!view || view->isIpv6 != address_.isIpv6) return Result::kPassed;
  if (!std::ranges::equal(packet.subspan(view->destinationAt, view->addressBytes), address_.used())) {
    return Result::kPassed;
  }
  if (isIcmp(*view) && !view->isLaterFragment && view->transportBytes() >= 8 &&
      isError(packet[view->transportAt], view->isIpv6)) {
    return quoted(packet, *view, false);
  }
  const std::optional<Fields> fields = fieldsOf(packet, *view, false);
  if (!fields) return Result::kDropped;
  const Endpoint* const inside = insideOf(view->protocol, load16(packet, fields->portAt), nowNs);
  if (!inside) return Result::kDropped;
  rewrite(packet, *view, view->destinationAt, {inside->address.data(), view->addressBytes}, fields,
          inside->port);
  return Result::kRewritten;
}

/// An ICMP error quotes its packet, which the inside knows by its other address (RFC 5508 section 4).
/// Outbound errors concern packets to an inside endpoint, inbound ones packets from it. Neither refreshes the
/// mapping (REQ-6), and without one both are dropped (REQ-4, REQ-5).
Nat::Result Nat::quoted(Bytes packet, const PacketView& view, bool isOutbound) {
  const Bytes body = packet.subspan(view.transportAt, view.transportBytes());
  const Bytes inner = body.subspan(8);
  const std::optional<PacketView> quote = viewPacket(inner, true);
  if (!quote || quote->isIpv6 != view.isIpv6) return Result::kDropped;
  const std::optional<Fields> fields = fieldsOf(inner, *quote, !isOutbound);
  if (!fields) return Result::kDropped;
  const std::size_t innerAddressAt = isOutbound ? quote->destinationAt : quote->sourceAt;
  const std::uint16_t port = load16(inner, fields->portAt);
  Endpoint inside{quote->protocol, port, {}};
  std::uint16_t newPort = port;
  if (isOutbound) {
    std::ranges::copy(inner.subspan(innerAddressAt, view.addressBytes), inside.address.begin());
    const auto known = mappings_.find(inside);
    if (known == mappings_.end()) return Result::kDropped;
    newPort = known->second.outsidePort;
  } else {
    const auto found = outside_.find(std::uint32_t{quote->protocol} << 16 | port);
    if (found == outside_.end()) return Result::kDropped;
    inside = found->second;
    newPort = inside.port;
  }
  const ConstBytes insideAddress{inside.address.data(), view.addressBytes};
  const ConstBytes innerAddress = isOutbound ? address_.used() : insideAddress;
  const std::uint32_t before = sumWords(body);
  rewrite(inner, *quote, innerAddressAt, innerAddress, fields, newPort);
  patchChecksum(packet, view.transportAt + 2, before, sumWords(body));
  const std::size_t outerAt = isOutbound ? view.sourceAt : view.destinationAt;
  const std::uint32_t outerBefore = sumWords(packet.subspan(outerAt, view.addressBytes));
  rewrite(packet, view, outerAt, innerAddress, std::nullopt, 0);
  if (view.isIpv6) {
    patchChecksum(packet, view.transportAt + 2, outerBefore,
                  sumWords(packet.subspan(outerAt, view.addressBytes)));
  }
  return Result::kRewritten;
}

}  // namespace mpd::link
