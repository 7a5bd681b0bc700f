#pragma once

#include "flow_scheduler.h"
#include "packet_queue.h"
#include "pie.h"
#include "queue_limit.h"

namespace mpd::link {

/// FQ-PIE: the flow queues and the round robin of RFC 8290, with a PIE controller (RFC 8033) on each flow. No
/// RFC describes the combination. Open choices follow Linux's fq_pie: a full queue drops the arriving packet.
class FqPieQueue final : public PacketQueue {
 public:
  FqPieQueue(QueueLimit limit, const PieConfig& config, const FlowSchedulerConfig& flows, std::uint64_t seed)
      : limit_(limit), config_(config), seed_(seed), random_(seed), flows_(flows) {}

  std::uint32_t enqueue(Packet packet, TimeNs nowNs) override;
  std::optional<Packet> dequeue(TimeNs nowNs, std::uint32_t& dropped) override;
  std::uint32_t clear() override;

  [[nodiscard]] std::size_t sizePackets() const override { return sizePackets_; }
  [[nodiscard]] std::uint64_t sizeBytes() const override { return sizeBytes_; }
  [[nodiscard]] std::string_view name() const override { return "fq_pie"; }
  [[nodiscard]] std::uint64_t marks() const override { return marks_; }
  [[nodiscard]] double dropProbability() const override;

 private:
  struct Flow {
    PacketFifo packets;
    Pie pie;
  };

  QueueLimit limit_;
  PieConfig config_;
  std::uint64_t seed_;
  SplitMix64 random_;
  FlowScheduler<Flow> flows_;
  std::size_t sizePackets_ = 0;
  std::uint64_t sizeBytes_ = 0;
  std::uint64_t marks_ = 0;
};

}  // namespace mpd::link
