#include "fq_codel_queue.h"

#include "ip_header.h"

namespace mpd::link {

namespace {
/// Upper bound of packets dropped per overflow. Below it half of the longest queue is dropped, which
/// amortises its search (RFC 8290 section 4.1). Half is counted in bytes, as in Linux.
constexpr std::uint32_t kMaxOverflowBatch = 64;
}  // namespace

std::uint32_t FqCodelQueue::enqueue(Packet packet, TimeNs /*nowNs*/) {
  const std::uint64_t hash = hashFlow(packet.bytes(), seed_);
  sizePackets_ += 1;
  sizeBytes_ += packet.sizeBytes;
  flows_.at(hash, [this] { return Flow{{}, Codel(config_)}; }).packets.push(std::move(packet));
  flows_.activate(hash);
  std::uint32_t dropped = 0;
  while (!limit_.fits(sizeBytes_, sizePackets_)) dropped += dropFromFattest();
  return dropped;
}

std::uint32_t FqCodelQueue::dropFromFattest() {
  Flow* fattest = nullptr;
  flows_.each([&](Flow& flow) {
    if (!fattest || flow.packets.sizeBytes() > fattest->packets.sizeBytes()) fattest = &flow;
  });
  const std::uint64_t enoughBytes = fattest->packets.sizeBytes() / 2;
  std::uint64_t droppedBytes = 0;
  std::uint32_t dropped = 0;
  do {
    const std::optional<Packet> packet = fattest->packets.pop();
    droppedBytes += packet->sizeBytes;
    dropped += 1;
  } while (dropped < kMaxOverflowBatch && droppedBytes < enoughBytes);
  sizePackets_ -= dropped;
  sizeBytes_ -= droppedBytes;
  return dropped;
}

std::optional<Packet> FqCodelQueue::dequeue(TimeNs nowNs, std::uint32_t& dropped) {
  return flows_.dequeue([&](Flow& flow) {
    const std::size_t packetsBefore = flow.packets.sizePackets();
    const std::uint64_t bytesBefore = flow.packets.sizeBytes();
    std::optional<Packet> packet = flow.codel.dequeue(flow.packets, nowNs, dropped, marks_);
    sizePackets_ -= packetsBefore - flow.packets.sizePackets();
    sizeBytes_ -= bytesBefore - flow.packets.sizeBytes();
    return packet;
  });
}

std::uint32_t FqCodelQueue::clear() {
  std::uint32_t dropped = 0;
  flows_.each([&](Flow& flow) { dropped += flow.packets.clear(); });
  sizePackets_ = 0;
  sizeBytes_ = 0;
  return dropped;
}

}  // namespace mpd::link
