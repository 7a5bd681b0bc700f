#include "codel_queue.h"

namespace mpd::link {

std::uint32_t CodelQueue::enqueue(Packet packet, TimeNs /*nowNs*/) {
  if (!limit_.fits(packets_.sizeBytes() + packet.sizeBytes, packets_.sizePackets() + 1)) return 1;
  packets_.push(std::move(packet));
  return 0;
}

std::optional<Packet> CodelQueue::dequeue(TimeNs nowNs, std::uint32_t& dropped) {
  return codel_.dequeue(packets_, nowNs, dropped, marks_);
}

}  // namespace mpd::link
