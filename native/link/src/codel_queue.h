#pragma once

#include "codel.h"
#include "packet_queue.h"
#include "queue_limit.h"

namespace mpd::link {

/// One FIFO under one CoDel controller (RFC 8289).
class CodelQueue final : public PacketQueue {
 public:
  CodelQueue(QueueLimit limit, const CodelConfig& config) : limit_(limit), codel_(config) {}

  std::uint32_t enqueue(Packet packet, TimeNs nowNs) override;
  std::optional<Packet> dequeue(TimeNs nowNs, std::uint32_t& dropped) override;
  std::uint32_t clear() override { return packets_.clear(); }

  [[nodiscard]] std::size_t sizePackets() const override { return packets_.sizePackets(); }
  [[nodiscard]] std::uint64_t sizeBytes() const override { return packets_.sizeBytes(); }
  [[nodiscard]] std::string_view name() const override { return "codel"; }
  [[nodiscard]] std::uint64_t marks() const override { return marks_; }

 private:
  PacketFifo packets_;
  QueueLimit limit_;
  Codel codel_;
  std::uint64_t marks_ = 0;
};

}  // namespace mpd::link
