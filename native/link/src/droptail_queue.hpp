#pragma once

#include <deque>

#include "packet_queue.hpp"

namespace mpd::link {

/// First in, first out; a packet that would pass the byte limit is dropped at the tail.
class DroptailQueue final : public PacketQueue {
 public:
  explicit DroptailQueue(std::uint64_t limitBytes) : limitBytes_(limitBytes) {}

  std::uint32_t enqueue(Packet packet, TimeNs nowNs) override;
  std::optional<Packet> dequeue(TimeNs nowNs, std::uint32_t& dropped) override;
  std::uint32_t clear() override;

  [[nodiscard]] std::size_t sizePackets() const override { return packets_.size(); }
  [[nodiscard]] std::uint64_t sizeBytes() const override { return sizeBytes_; }
  [[nodiscard]] std::string_view name() const override { return "droptail"; }

 private:
  std::deque<Packet> packets_;
  std::uint64_t sizeBytes_ = 0;
  std::uint64_t limitBytes_;
};

}  // namespace mpd::link
