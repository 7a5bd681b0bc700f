#pragma once

#include <deque>
#include <optional>

#include "packet.h"

namespace mpd::link {

/// Packets in order with a byte count; the storage of every queue discipline.
class PacketFifo {
 public:
  void push(Packet packet) {
    sizeBytes_ += packet.sizeBytes;
    packets_.push_back(std::move(packet));
  }

  std::optional<Packet> pop() {
    if (packets_.empty()) return std::nullopt;
    Packet packet = std::move(packets_.front());
    packets_.pop_front();
    sizeBytes_ -= packet.sizeBytes;
    return packet;
  }

  /// @return the number of packets
  std::uint32_t clear() {
    const auto count = static_cast<std::uint32_t>(packets_.size());
    packets_.clear();
    sizeBytes_ = 0;
    return count;
  }

  [[nodiscard]] bool empty() const { return packets_.empty(); }
  [[nodiscard]] std::size_t sizePackets() const { return packets_.size(); }
  [[nodiscard]] std::uint64_t sizeBytes() const { return sizeBytes_; }

  /// Waiting time of the head; 0 when empty.
  [[nodiscard]] TimeNs headAgeNs(TimeNs nowNs) const {
    if (packets_.empty() || packets_.front().arrivedNs >= nowNs) return 0;
    return nowNs - packets_.front().arrivedNs;
  }

 private:
  std::deque<Packet> packets_;
  std::uint64_t sizeBytes_ = 0;
};

}  // namespace mpd::link
