#include "super_packet.h"

#include <algorithm>
#include <cstring>

#include "checksum.h"

namespace mpd::link {

namespace {

constexpr std::size_t kTcpChecksumOffset = 16;
constexpr std::size_t kIdAt = 4;
constexpr std::size_t kMaxPacketBytes = 65'535;
constexpr std::uint8_t kLastOnly = kFin | kPsh;

void setLengths(Bytes packet, const PacketView& view) {
  if (view.isIpv6) {
    store16(packet, 4, static_cast<std::uint32_t>(view.endAt - 40));
  } else {
    store16(packet, 2, static_cast<std::uint32_t>(view.endAt));
    setIpv4Checksum(packet, view.transportAt);
  }
}

/// Leaves the checksum to the device: its field holds the sum of the pseudo-header.
void setPartialChecksum(Bytes packet, const PacketView& view) {
  const auto transportBytes = static_cast<std::uint32_t>(view.transportBytes());
  store16(packet, view.transportAt + kTcpChecksumOffset, pseudoHeaderSum(packet, view, transportBytes));
}

Packet copyOf(ConstBytes head, ConstBytes tail, const Offload& offload) {
  const std::size_t size = head.size() + tail.size();
  Packet packet{std::make_unique_for_overwrite<std::uint8_t[]>(size), static_cast<std::uint32_t>(size), 0,
                offload.checksumStart, offload.checksumOffset};
  std::memcpy(packet.data.get(), head.data(), head.size());
  if (!tail.empty()) std::memcpy(packet.data.get() + head.size(), tail.data(), tail.size());
  return packet;
}

bool sameBytes(ConstBytes left, ConstBytes right, std::size_t from, std::size_t to) {
  return std::memcmp(left.data() + from, right.data() + from, to - from) == 0;
}

}  // namespace

bool splitSuperPacket(ConstBytes bytes, const Offload& offload, const std::function<void(Packet)>& emit) {
  const std::size_t fieldEnd = std::size_t{offload.checksumStart} + offload.checksumOffset + 2;
  if (offload.checksumStart != 0 && fieldEnd > bytes.size()) return false;
  if (offload.segmentBytes == 0) {
    emit(copyOf(bytes, {}, offload));
    return true;
  }
  const std::optional<PacketView> view = viewPacket(bytes);
  const std::optional<TcpView> tcp = view ? viewTcp(bytes, *view) : std::nullopt;
  if (!tcp || offload.checksumStart != tcp->at || offload.checksumOffset != kTcpChecksumOffset) return false;
  const std::size_t headerBytes = tcp->at + tcp->headerBytes;
  const ConstBytes header = bytes.first(headerBytes);
  const std::uint32_t sequence = load32(bytes, tcp->at + 4);
  std::size_t done = 0;
  for (std::uint32_t index = 0; index == 0 || done < tcp->payloadBytes; index += 1) {
    const std::size_t size = std::min<std::size_t>(offload.segmentBytes, tcp->payloadBytes - done);
    const bool isLast = done + size == tcp->payloadBytes;
    Packet packet = copyOf(header, bytes.subspan(headerBytes + done, size), offload);
    const Bytes segment = packet.bytes();
    PacketView own = *view;
    own.endAt = headerBytes + size;
    if (!view->isIpv6) store16(segment, kIdAt, load16(bytes, kIdAt) + index);
    setLengths(segment, own);
    store32(segment, tcp->at + 4, sequence + static_cast<std::uint32_t>(done));
    std::uint8_t flags = tcp->flags;
    if (!isLast) flags &= static_cast<std::uint8_t>(~kLastOnly);
    if (index > 0) flags &= static_cast<std::uint8_t>(~kCwr);
    segment[tcp->at + 13] = flags;
    setPartialChecksum(segment, own);
    emit(std::move(packet));
    done += size;
  }
  return true;
}

bool PacketMerger::take(Packet& packet) {
  if (packets_.empty()) {
    start(packet);
  } else if (!continues(packet)) {
    return false;
  } else {
    const std::size_t payloadBytes = packet.sizeBytes - headerBytes_;
    const std::uint8_t flags = packet.data[view_.transportAt + 13];
    // A short segment ends a super-packet, and so does a FIN or PSH.
    isOpen_ = payloadBytes == offload_.segmentBytes && (flags & kLastOnly) == 0;
    totalBytes_ += payloadBytes;
    nextSequence_ += static_cast<std::uint32_t>(payloadBytes);
    nextId_ += 1;
  }
  packets_.push_back(std::move(packet));
  return true;
}

void PacketMerger::start(const Packet& packet) {
  const ConstBytes bytes = packet.bytes();
  offload_ = {0, packet.checksumStart, packet.checksumOffset};
  isOpen_ = false;
  headerBytes_ = 0;
  if (packet.checksumStart == 0) return;
  const std::optional<PacketView> view = viewPacket(bytes);
  const std::optional<TcpView> tcp = view ? viewTcp(bytes, *view) : std::nullopt;
  if (!tcp) return;
  headerBytes_ = tcp->at + tcp->headerBytes;
  // ACK alone, with or without ECE (64): the flags inside a run of data.
  const bool isPlain = (tcp->flags & ~std::uint32_t{64}) == kAck;
  if (!isPlain || tcp->payloadBytes == 0 || view->endAt != bytes.size() || tcp->at != packet.checksumStart) {
    return;
  }
  view_ = *view;
  totalBytes_ = bytes.size();
  offload_.segmentBytes = static_cast<std::uint16_t>(tcp->payloadBytes);
  nextSequence_ = load32(bytes, tcp->at + 4) + static_cast<std::uint32_t>(tcp->payloadBytes);
  nextId_ = static_cast<std::uint16_t>(load16(bytes, kIdAt) + 1);
  isOpen_ = true;
}

bool PacketMerger::continues(const Packet& packet) const {
  if (!isOpen_ || packets_.size() >= kMaxPieces || packet.sizeBytes <= headerBytes_) return false;
  const std::size_t payloadBytes = packet.sizeBytes - headerBytes_;
  if (payloadBytes > offload_.segmentBytes || totalBytes_ + payloadBytes > kMaxPacketBytes) return false;
  if (packet.checksumStart != offload_.checksumStart || packet.checksumOffset != offload_.checksumOffset) {
    return false;
  }
  const ConstBytes first = packets_.front().bytes();
  const ConstBytes next = packet.bytes();
  const std::size_t tcpAt = view_.transportAt;
  if (view_.isIpv6) {
    // Version, class with ECN, flow label; addresses.
    if (!sameBytes(first, next, 0, 4) || !sameBytes(first, next, 6, tcpAt)) return false;
    if (load16(next, 4) + 40u != packet.sizeBytes) return false;
  } else {
    if (!sameBytes(first, next, 0, 2) || !sameBytes(first, next, 6, 10)) return false;
    if (!sameBytes(first, next, 12, tcpAt) || load16(next, kIdAt) != nextId_) return false;
    if (load16(next, 2) != packet.sizeBytes) return false;
  }
  const std::uint32_t flags = next[tcpAt + 13] & ~std::uint32_t{kLastOnly};
  return flags == first[tcpAt + 13] && load32(next, tcpAt + 4) == nextSequence_ &&
         sameBytes(first, next, tcpAt, tcpAt + 4) && sameBytes(first, next, tcpAt + 8, tcpAt + 13) &&
         sameBytes(first, next, tcpAt + 14, tcpAt + 16) && sameBytes(first, next, tcpAt + 18, headerBytes_);
}

const std::vector<ConstBytes>& PacketMerger::pieces() {
  pieces_.clear();
  Packet& first = packets_.front();
  pieces_.push_back(first.bytes());
  if (packets_.size() == 1) {
    offload_.segmentBytes = 0;
    return pieces_;
  }
  const Bytes header = first.bytes();
  header[view_.transportAt + 13] |= packets_.back().data[view_.transportAt + 13];
  PacketView whole = view_;
  whole.endAt = totalBytes_;
  setLengths(header, whole);
  setPartialChecksum(header, whole);
  for (std::size_t i = 1; i < packets_.size(); i += 1) {
    pieces_.push_back(ConstBytes(packets_[i].bytes()).subspan(headerBytes_));
  }
  return pieces_;
}

void PacketMerger::clear() {
  packets_.clear();
  isOpen_ = false;
}

}  // namespace mpd::link
