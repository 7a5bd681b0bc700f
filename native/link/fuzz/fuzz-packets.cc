// Any bytes as packets: cutting, merging, ECN marks, flow hashes and every middlebox.
#include <algorithm>
#include <cstring>

#include "ip_header.h"
#include "middlebox.h"
#include "super_packet.h"

namespace {

using namespace mpd::link;

constexpr std::size_t kMaxPackets = 64;
constexpr TimeNs kBetweenPacketsNs = 1'000'000'000;
constexpr std::uint64_t kResetAfterBytes = 3000;

Packet packetOf(ConstBytes bytes) {
  Packet packet;
  packet.data = std::make_unique<std::uint8_t[]>(bytes.size());
  packet.sizeBytes = static_cast<std::uint32_t>(bytes.size());
  std::ranges::copy(bytes, packet.data.get());
  return packet;
}

void require(bool holds) {
  if (!holds) __builtin_trap();
}

void look(ConstBytes bytes) {
  const auto view = viewPacket(bytes);
  viewPacket(bytes, true);
  Packet packet = packetOf(bytes);
  const std::uint64_t flow = hashFlow(packet.bytes(), 7);
  require(markCongestion(packet.bytes()) == isEcnCapable(bytes));
  const std::uint64_t markedFlow = hashFlow(packet.bytes(), 7);
  if (!view) return;
  require(markedFlow == flow);  // the mark is no part of the flow
  require(view->transportAt <= view->endAt && view->endAt <= bytes.size());
  if (const auto tcp = viewTcp(bytes, *view)) require(tcp->at + tcp->headerBytes <= view->endAt);
}

/// The cut segments together are at least as long as the merged packet.
void cutAndMerge(ConstBytes bytes, std::uint16_t segmentBytes) {
  PacketMerger merger;
  std::size_t total = 0;
  splitSuperPacket(bytes, {segmentBytes, 0, 0}, [&](Packet packet) {
    require(packet.sizeBytes <= bytes.size());
    total += packet.sizeBytes;
    if (merger.take(packet)) return;
    if (!merger.empty()) merger.pieces();
    merger.clear();
  });
  if (!merger.empty()) require(!merger.pieces().empty() && merger.headerBytes() <= bytes.size());
  require(total == 0 || total + kMaxPieces >= std::min<std::size_t>(bytes.size(), kMaxPieces));
}

MiddleboxChange changeFrom(std::uint8_t choice) {
  MiddleboxChange change;
  change.stripMpCapable = (choice & 1) != 0;
  change.stripMpJoin = (choice & 2) != 0;
  change.dropAddAddr = (choice & 4) != 0;
  if (choice & 8) change.nat = NatAddress::parse((choice & 16) ? "fd00::77" : "10.0.0.77");
  if (choice & 32) change.resetAfterBytes = kResetAfterBytes;
  return change;
}

}  // namespace

/// One byte of choices, then packets: direction, length (2 bytes), bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  Middlebox box;
  box.apply(changeFrom(data[0]));
  ConstBytes rest(data + 1, size - 1);
  TimeNs nowNs = 1;
  for (std::size_t n = 0; n < kMaxPackets && rest.size() >= 3; ++n) {
    const int direction = rest[0] & 1;
    const std::uint16_t segmentBytes = rest[0];
    const std::size_t length = std::min<std::size_t>(rest.size() - 3, rest[1] * 256u + rest[2]);
    const ConstBytes bytes = rest.subspan(3, length);
    look(bytes);
    cutAndMerge(bytes, segmentBytes);
    box.pass(direction, packetOf(bytes), nowNs, [](int way, Packet packet) {
      require(way == 0 || way == 1);
      look(packet.bytes());
    });
    rest = rest.subspan(3 + length);
    nowNs += kBetweenPacketsNs;
  }
  return 0;
}
