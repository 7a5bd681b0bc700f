#pragma once

#include "packet_fifo.h"
#include "packet_queue.h"
#include "queue_limit.h"

namespace mpd::link {

/// First in, first out; a packet that would exceed the limit is dropped at the tail.
class DroptailQueue final : public PacketQueue {
 public:
  explicit DroptailQueue(QueueLimit limit) : limit_(limit) {}

  std::uint32_t enqueue(Packet packet, TimeNs nowNs) override;
  std::optional<Packet> dequeue(TimeNs nowNs, std::uint32_t& dropped) override;
  std::uint32_t clear() override { return packets_.clear(); }

  [[nodiscard]] std::size_t sizePackets() const override { return packets_.sizePackets(); }
  [[nodiscard]] std::uint64_t sizeBytes() const override { return packets_.sizeBytes(); }
  [[nodiscard]] std::string_view name() const override { return "droptail"; }

 private:
  PacketFifo packets_;
  QueueLimit limit_;
};

}  // namespace mpd::link
