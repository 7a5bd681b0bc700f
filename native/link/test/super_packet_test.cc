#include "super_packet.h"
#include "check.h"
#include "checksum.h"
#include "ip_header.h"
#include "random.h"
#include "segments.h"

using namespace mpd::link;

namespace {

/// The kernel's form: the checksum is that of the pseudo-header.
Packet unfinished(Packet packet) {
  const TcpView tcp = tcpOf(packet);
  const PacketView view = *viewPacket(packet.bytes());
  packet.checksumStart = static_cast<std::uint16_t>(tcp.at);
  packet.checksumOffset = 16;
  const auto size = static_cast<std::uint32_t>(view.transportBytes());
  store16(packet.bytes(), tcp.at + 16, pseudoHeaderSum(packet.bytes(), view, size));
  return packet;
}

std::vector<Packet> split(const Packet& whole, std::uint16_t segmentBytes) {
  std::vector<Packet> parts;
  const Offload offload{segmentBytes, whole.checksumStart, whole.checksumOffset};
  splitSuperPacket(whole.bytes(), offload, [&](Packet part) { parts.push_back(std::move(part)); });
  return parts;
}

std::vector<std::uint8_t> written(PacketMerger& merger) {
  std::vector<std::uint8_t> bytes;
  for (const ConstBytes piece : merger.pieces()) bytes.insert(bytes.end(), piece.begin(), piece.end());
  return bytes;
}

const std::vector<std::uint8_t> kTimestamps{1, 1, 8, 10, 0, 0, 1, 2, 0, 0, 3, 4};

Segment bigSegment(bool isIpv6, std::uint8_t flags) {
  return {.isIpv6 = isIpv6,
          .flags = flags,
          .sequence = 0xfffffc00,
          .options = kTimestamps,
          .payloadBytes = 10'000,
          .ecn = 2};
}

}  // namespace

TEST("super-packet: cut into packets that are each whole, in order, with nothing lost") {
  for (const bool isIpv6 : {false, true}) {
    const Packet whole = unfinished(makeTcp(bigSegment(isIpv6, kAck | kPsh | kFin | kCwr)));
    std::vector<Packet> parts = split(whole, 1'448);
    CHECK_EQUAL(parts.size(), 7u);
    std::uint32_t sequence = 0xfffffc00;
    std::vector<std::uint8_t> payload;
    for (std::size_t i = 0; i < parts.size(); i += 1) {
      completeChecksum(parts[i]);
      CHECK(hasGoodChecksums(parts[i]));
      const TcpView tcp = tcpOf(parts[i]);
      CHECK_EQUAL(tcp.payloadBytes, i < 6 ? 1'448u : 1'312u);
      CHECK_EQUAL(load32(parts[i].bytes(), tcp.at + 4), sequence);
      CHECK_EQUAL(int{tcp.flags}, kAck | (i == 0 ? kCwr : 0) | (i == 6 ? kPsh | kFin : 0));
      if (!isIpv6) CHECK_EQUAL(load16(parts[i].bytes(), 4), 7u + i);
      CHECK(isEcnCapable(parts[i].bytes()));
      sequence += static_cast<std::uint32_t>(tcp.payloadBytes);
      const auto bytes = parts[i].bytes().subspan(tcp.at + tcp.headerBytes);
      payload.insert(payload.end(), bytes.begin(), bytes.end());
    }
    const TcpView tcp = tcpOf(whole);
    CHECK(std::equal(payload.begin(), payload.end(), whole.data.get() + tcp.at + tcp.headerBytes));
  }
}

TEST("super-packet: what is cut and merged again is what it was, byte for byte") {
  for (const bool isIpv6 : {false, true}) {
    for (const std::uint8_t flags : {kAck, static_cast<std::uint8_t>(kAck | kPsh)}) {
      const Packet whole = unfinished(makeTcp(bigSegment(isIpv6, flags)));
      PacketMerger merger;
      for (Packet& part : split(whole, 1'448)) CHECK(merger.take(part));
      const std::vector<std::uint8_t> bytes = written(merger);
      CHECK(std::equal(bytes.begin(), bytes.end(), whole.bytes().begin(), whole.bytes().end()));
      CHECK_EQUAL(merger.offload().segmentBytes, 1'448u);
    }
  }
}

TEST("merging stops at a gap, a mark, another flow, other options, a short packet and a complete checksum") {
  for (const bool isIpv6 : {false, true}) {
    const Packet whole = unfinished(makeTcp(bigSegment(isIpv6, kAck)));
    const auto continues = [&](const std::function<void(std::vector<Packet>&)>& change) {
      std::vector<Packet> parts = split(whole, 1'448);
      change(parts);
      PacketMerger merger;
      CHECK(merger.take(parts[0]));
      return merger.take(parts[1]);
    };
    const std::size_t at = tcpOf(whole).at;
    CHECK(continues([](auto&) {}));
    CHECK(!continues([](auto& parts) { std::swap(parts[1], parts[2]); }));
    CHECK(!continues([](auto& parts) { markCongestion(parts[1].bytes()); }));
    CHECK(!continues([](auto& parts) { completeChecksum(parts[1]); }));
    CHECK(!continues([](auto& parts) { std::swap(parts[0], parts[6]); }));
    for (const std::size_t offset : {0u, 2u, 8u, 13u, 14u, 22u}) {
      CHECK(!continues([&](auto& parts) { parts[1].data[at + offset] ^= 2; }));
    }
  }
}

TEST("super-packet: hostile headers are refused or cut within their bounds") {
  SplitMix64 random(8);
  for (int round = 0; round < 20'000; round += 1) {
    const Packet whole =
        unfinished(makeTcp({.isIpv6 = round % 2 == 0,
                            .options = kTimestamps,
                            .payloadBytes = static_cast<std::uint32_t>(random.next() % 400)}));
    const auto size = static_cast<std::uint32_t>(1 + random.next() % whole.sizeBytes);
    Packet cut{std::make_unique<std::uint8_t[]>(size), size, 0};
    for (std::uint32_t at = 0; at < size; at += 1) {
      const std::uint64_t draw = random.next();
      cut.data[at] = draw % 32 == 0 ? static_cast<std::uint8_t>(draw >> 8) : whole.data[at];
    }
    Offload offload{static_cast<std::uint16_t>(random.next() % 300), whole.checksumStart, 16};
    if (round % 5 == 0) offload.checksumOffset = static_cast<std::uint16_t>(random.next());
    PacketMerger merger;
    splitSuperPacket(cut.bytes(), offload, [&](Packet part) {
      CHECK(part.sizeBytes <= size);
      if (merger.take(part)) return;
      written(merger);
      merger.clear();
      CHECK(merger.take(part));
    });
    if (!merger.empty()) written(merger);
  }
}
