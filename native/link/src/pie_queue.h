#pragma once

#include "packet_queue.h"
#include "pie.h"
#include "queue_limit.h"

namespace mpd::link {

/// One FIFO under one PIE controller (RFC 8033).
class PieQueue final : public PacketQueue {
 public:
  PieQueue(QueueLimit limit, const PieConfig& config, std::uint64_t seed)
      : limit_(limit), pie_(config), random_(seed) {}

  std::uint32_t enqueue(Packet packet, TimeNs nowNs) override;
  std::optional<Packet> dequeue(TimeNs nowNs, std::uint32_t& dropped) override;
  std::uint32_t clear() override { return packets_.clear(); }

  [[nodiscard]] std::size_t sizePackets() const override { return packets_.sizePackets(); }
  [[nodiscard]] std::uint64_t sizeBytes() const override { return packets_.sizeBytes(); }
  [[nodiscard]] std::string_view name() const override { return "pie"; }
  [[nodiscard]] std::uint64_t marks() const override { return marks_; }
  [[nodiscard]] double dropProbability() const override { return pie_.dropProbability(); }

 private:
  PacketFifo packets_;
  QueueLimit limit_;
  Pie pie_;
  SplitMix64 random_;
  std::uint64_t marks_ = 0;
};

}  // namespace mpd::link
