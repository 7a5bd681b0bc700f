#include "pie_queue.h"

#include "ip_header.h"

namespace mpd::link {

std::uint32_t PieQueue::enqueue(Packet packet, TimeNs nowNs) {
  if (!limit_.fits(packets_.sizeBytes() + packet.sizeBytes, packets_.sizePackets() + 1)) {
    pie_.catchUp(packets_, nowNs);
    pie_.onOverflow();
    return 1;
  }
  const PieVerdict verdict = pie_.decide(packets_, isEcnCapable(packet.bytes()), nowNs, random_);
  if (verdict == PieVerdict::kDrop) return 1;
  if (verdict == PieVerdict::kMark && markCongestion(packet.bytes())) marks_ += 1;
  packets_.push(std::move(packet));
  return 0;
}

std::optional<Packet> PieQueue::dequeue(TimeNs nowNs, std::uint32_t& /*dropped*/) {
  pie_.catchUp(packets_, nowNs);
  return packets_.pop();
}

}  // namespace mpd::link
