#include "connection_resetter.h"

#include <algorithm>

#include "checksum.h"
#include "random.h"

namespace mpd::link {

namespace {

/// Tracked connections; further ones are not counted until an old one has been idle for long.
constexpr std::size_t kMaxConnections = 65'536;
constexpr TimeNs kIdleNs = 600'000'000'000;
constexpr std::uint32_t kTcpBytes = 20;

/// A RST without options between the ends of `packet`.
Packet makeReset(ConstBytes packet, const PacketView& view, const TcpView& tcp, bool toSource) {
  const auto headerBytes = static_cast<std::uint32_t>(view.isIpv6 ? kHeader6Bytes : kHeader4Bytes);
  const std::uint32_t sizeBytes = headerBytes + kTcpBytes;
  Packet reset{std::make_unique<std::uint8_t[]>(sizeBytes), sizeBytes, 0};
  const Bytes bytes = reset.bytes();
  bytes[0] = view.isIpv6 ? 0x60 : 0x45;
  PacketView made = view;
  made.transportAt = headerBytes;
  made.endAt = sizeBytes;
  const auto copy = [&](std::size_t from, std::size_t to, std::size_t size) {
    std::ranges::copy(packet.subspan(from, size), bytes.subspan(to).begin());
  };
  copy(view.sourceAt, toSource ? view.destinationAt : view.sourceAt, view.addressBytes);
  copy(view.destinationAt, toSource ? view.sourceAt : view.destinationAt, view.addressBytes);
  if (view.isIpv6) {
    store16(bytes, 4, kTcpBytes);
    bytes[6] = kTcp;
    bytes[7] = 64;
  } else {
    store16(bytes, 2, sizeBytes);
    store16(bytes, 6, 0x4000);
    bytes[8] = 64;
    bytes[9] = kTcp;
    setIpv4Checksum(bytes, headerBytes);
  }
  const std::size_t at = headerBytes;
  copy(tcp.at, at + (toSource ? 2 : 0), 2);
  copy(tcp.at + 2, at + (toSource ? 0 : 2), 2);
  const std::uint32_t sequence = load32(packet, tcp.at + 4);
  const std::uint32_t acknowledged = load32(packet, tcp.at + 8);
  const bool hasAck = (tcp.flags & kAck) != 0;
  bytes[at + 12] = kTcpBytes / 4 << 4;
  if (!toSource) {
    store32(bytes, at + 4, sequence);
    store32(bytes, at + 8, acknowledged);
    bytes[at + 13] = hasAck ? kRst | kAck : kRst;
  } else if (hasAck) {
    // The exact sequence number the receiver expects, so that it accepts the RST without a challenge (RFC
    // 9293 section 3.10.7).
    store32(bytes, at + 4, acknowledged);
    bytes[at + 13] = kRst;
  } else {
    const bool isSyn = (tcp.flags & kSyn) != 0;
    store32(bytes, at + 8, sequence + static_cast<std::uint32_t>(tcp.payloadBytes) + (isSyn ? 1 : 0));
    bytes[at + 13] = kRst | kAck;
  }
  const std::uint32_t sum = pseudoHeaderSum(bytes, made, kTcpBytes);
  store16(bytes, at + 16, ~sumWords(bytes.subspan(at), sum));
  return reset;
}

}  // namespace

std::size_t ConnectionResetter::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = 0;
  for (const std::uint8_t byte : key.bytes) hash = SplitMix64::mix(hash ^ byte) + hash;
  return hash;
}

ConnectionResetter::Key ConnectionResetter::keyOf(ConstBytes packet, const PacketView& view) {
  std::array<std::uint8_t, 18> ends[2]{};
  for (std::size_t i = 0; i < 2; i += 1) {
    const std::size_t addressAt = i == 0 ? view.sourceAt : view.destinationAt;
    std::ranges::copy(packet.subspan(addressAt, view.addressBytes), ends[i].begin());
    std::ranges::copy(packet.subspan(view.transportAt + 2 * i, 2), ends[i].begin() + 16);
  }
  if (ends[1] < ends[0]) std::swap(ends[0], ends[1]);
  Key key;
  std::ranges::copy(ends[0], key.bytes.begin());
  std::ranges::copy(ends[1], key.bytes.begin() + 18);
  return key;
}

ConnectionResetter::Connection* ConnectionResetter::connectionOf(const Key& key, TimeNs nowNs) {
  if (const auto known = connections_.find(key); known != connections_.end()) return &known->second;
  if (connections_.size() >= kMaxConnections) {
    std::erase_if(connections_, [&](const auto& entry) { return nowNs - entry.second.usedNs > kIdleNs; });
    if (connections_.size() >= kMaxConnections) return nullptr;
  }
  return &connections_[key];
}

ConnectionResetter::Verdict ConnectionResetter::inspect(const Packet& packet, TimeNs nowNs) {
  const ConstBytes bytes = packet.bytes();
  const std::optional<PacketView> view = viewPacket(bytes);
  const std::optional<TcpView> tcp = view ? viewTcp(bytes, *view) : std::nullopt;
  if (!tcp) return {};
  const bool begins = (tcp->flags & (kSyn | kAck)) == kSyn;
  Connection* const connection = connectionOf(keyOf(bytes, *view), nowNs);
  if (!connection) return {};
  connection->usedNs = nowNs;
  if (begins) *connection = {.usedNs = nowNs};
  connection->carriedBytes += tcp->payloadBytes;
  if ((tcp->flags & kRst) != 0) return {};
  const bool isFirst = !connection->isReset;
  if (connection->carriedBytes > limitBytes_) connection->isReset = true;
  if (!connection->isReset) return {};
  return {true, isFirst, makeReset(bytes, *view, *tcp, false), makeReset(bytes, *view, *tcp, true)};
}

}  // namespace mpd::link
