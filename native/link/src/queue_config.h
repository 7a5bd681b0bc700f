#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "packet_queue.h"
#include "queue_table.generated.h"

namespace mpd::link {

/// The discipline of a name of the table.
std::optional<QueueKind> queueKindOf(std::string_view name);

[[nodiscard]] constexpr const QueueDiscipline& disciplineOf(QueueKind kind) {
  return kQueueDisciplines[static_cast<std::size_t>(kind)];
}

/// Absent values have the discipline's defaults.
struct QueueConfig {
  QueueKind kind = QueueKind::kDroptail;
  std::optional<std::uint64_t> limitBytes;
  std::optional<std::uint64_t> limitPackets;
  QueueSettings settings;

  /// Times in ns, a flag as 0 or 1.
  void set(QueueSetting setting, double value) { settings[static_cast<std::size_t>(setting)] = value; }
  /// The value given, else the discipline's default, else 0.
  [[nodiscard]] double value(QueueSetting setting) const;
  [[nodiscard]] TimeNs timeNs(QueueSetting setting) const { return static_cast<TimeNs>(value(setting)); }
};

/// @param seed decides PIE's drops and the flows that share a queue
std::unique_ptr<PacketQueue> makeQueue(const QueueConfig& config, std::uint32_t mtu, std::uint64_t seed);

}  // namespace mpd::link
