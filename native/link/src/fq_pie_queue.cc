#include "fq_pie_queue.h"

#include <algorithm>

#include "ip_header.h"

namespace mpd::link {

std::uint32_t FqPieQueue::enqueue(Packet packet, TimeNs nowNs) {
  const std::uint64_t hash = hashFlow(packet.bytes(), seed_);
  Flow& flow = flows_.at(hash, [this] { return Flow{{}, Pie(config_)}; });
  if (!limit_.fits(sizeBytes_ + packet.sizeBytes, sizePackets_ + 1)) {
    flow.pie.catchUp(flow.packets, nowNs);
    flow.pie.onOverflow();
    return 1;
  }
  const PieVerdict verdict = flow.pie.decide(flow.packets, isEcnCapable(packet.bytes()), nowNs, random_);
  if (verdict == PieVerdict::kDrop) return 1;
  if (verdict == PieVerdict::kMark && markCongestion(packet.bytes())) marks_ += 1;
  sizePackets_ += 1;
  sizeBytes_ += packet.sizeBytes;
  flow.packets.push(std::move(packet));
  flows_.activate(hash);
  return 0;
}

std::optional<Packet> FqPieQueue::dequeue(TimeNs nowNs, std::uint32_t& /*dropped*/) {
  std::optional<Packet> packet = flows_.dequeue([&](Flow& flow) {
    flow.pie.catchUp(flow.packets, nowNs);
    return flow.packets.pop();
  });
  if (packet) {
    sizePackets_ -= 1;
    sizeBytes_ -= packet->sizeBytes;
  }
  return packet;
}

std::uint32_t FqPieQueue::clear() {
  std::uint32_t dropped = 0;
  flows_.each([&](Flow& flow) { dropped += flow.packets.clear(); });
  sizePackets_ = 0;
  sizeBytes_ = 0;
  return dropped;
}

double FqPieQueue::dropProbability() const {
  double highest = 0;
  flows_.each([&](const Flow& flow) {
    if (!flow.packets.empty()) highest = std::max(highest, flow.pie.dropProbability());
  });
  return highest;
}

}  // namespace mpd::link
