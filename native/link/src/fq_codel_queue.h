#pragma once

#include "codel.h"
#include "flow_scheduler.h"
#include "packet_queue.h"
#include "queue_limit.h"

namespace mpd::link {

/// FQ-CoDel (RFC 8290): one queue per flow, deficit round robin between them, CoDel on each. On overflow the
/// longest queue drops from its head (section 4.1).
class FqCodelQueue final : public PacketQueue {
 public:
  FqCodelQueue(QueueLimit limit, const CodelConfig& config, const FlowSchedulerConfig& flows,
               std::uint64_t seed)
      : limit_(limit), config_(config), seed_(seed), flows_(flows) {}

  std::uint32_t enqueue(Packet packet, TimeNs nowNs) override;
  std::optional<Packet> dequeue(TimeNs nowNs, std::uint32_t& dropped) override;
  std::uint32_t clear() override;

  [[nodiscard]] std::size_t sizePackets() const override { return sizePackets_; }
  [[nodiscard]] std::uint64_t sizeBytes() const override { return sizeBytes_; }
  [[nodiscard]] std::string_view name() const override { return "fq_codel"; }
  [[nodiscard]] std::uint64_t marks() const override { return marks_; }

 private:
  struct Flow {
    PacketFifo packets;
    Codel codel;
  };

  std::uint32_t dropFromFattest();

  QueueLimit limit_;
  CodelConfig config_;
  std::uint64_t seed_;
  FlowScheduler<Flow> flows_;
  std::size_t sizePackets_ = 0;
  std::uint64_t sizeBytes_ = 0;
  std::uint64_t marks_ = 0;
};

}  // namespace mpd::link
