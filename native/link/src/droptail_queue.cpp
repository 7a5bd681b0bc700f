#include "droptail_queue.hpp"

namespace mpd::link {

std::uint32_t DroptailQueue::enqueue(Packet packet, TimeNs /*nowNs*/) {
  if (sizeBytes_ + packet.sizeBytes > limitBytes_) return 1;
  sizeBytes_ += packet.sizeBytes;
  packets_.push_back(std::move(packet));
  return 0;
}

std::optional<Packet> DroptailQueue::dequeue(TimeNs /*nowNs*/, std::uint32_t& /*dropped*/) {
  if (packets_.empty()) return std::nullopt;
  Packet packet = std::move(packets_.front());
  packets_.pop_front();
  sizeBytes_ -= packet.sizeBytes;
  return packet;
}

std::uint32_t DroptailQueue::clear() {
  const auto dropped = static_cast<std::uint32_t>(packets_.size());
  packets_.clear();
  sizeBytes_ = 0;
  return dropped;
}

}  // namespace mpd::link
