#include "droptail_queue.h"

namespace mpd::link {

std::uint32_t DroptailQueue::enqueue(Packet packet, TimeNs /*nowNs*/) {
  if (!limit_.fits(packets_.sizeBytes() + packet.sizeBytes, packets_.sizePackets() + 1)) return 1;
  packets_.push(std::move(packet));
  return 0;
}

std::optional<Packet> DroptailQueue::dequeue(TimeNs /*nowNs*/, std::uint32_t& /*dropped*/) {
  return packets_.pop();
}

}  // namespace mpd::link
