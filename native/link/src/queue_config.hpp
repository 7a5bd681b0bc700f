#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "codel.hpp"
#include "flow_scheduler.hpp"
#include "packet_queue.hpp"
#include "pie.hpp"
#include "queue_limit.hpp"

namespace mpd::link {

enum class QueueKind { kDroptail, kPie, kFqPie, kCodel, kFqCodel };

/// `droptail`, `pie`, `fq_pie`, `codel`, `fq_codel`.
std::optional<QueueKind> queueKindOf(std::string_view name);

/// What is left open takes the default of the discipline.
struct QueueConfig {
  QueueKind kind = QueueKind::kDroptail;
  std::optional<std::uint64_t> limitBytes;
  std::optional<std::uint64_t> limitPackets;
  /// PIE 15 ms, CoDel 5 ms.
  std::optional<TimeNs> targetNs;
  CodelConfig codel;
  PieConfig pie;
  FlowSchedulerConfig flows;
};

/// @param seed decides PIE's drops and which flows share a queue
std::unique_ptr<PacketQueue> makeQueue(const QueueConfig& config, std::uint32_t mtu, std::uint64_t seed);

}  // namespace mpd::link
