#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "codel.h"
#include "flow_scheduler.h"
#include "packet_queue.h"
#include "pie.h"
#include "queue_table.generated.h"

namespace mpd::link {

/// The discipline of a name of the table.
std::optional<QueueKind> queueKindOf(std::string_view name);

/// Absent values have the discipline's defaults.
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

/// @param seed decides PIE's drops and the flows that share a queue
std::unique_ptr<PacketQueue> makeQueue(const QueueConfig& config, std::uint32_t mtu, std::uint64_t seed);

}  // namespace mpd::link
