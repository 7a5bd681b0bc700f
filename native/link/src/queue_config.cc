#include "queue_config.h"

#include "codel_queue.h"
#include "droptail_queue.h"
#include "fq_codel_queue.h"
#include "fq_pie_queue.h"
#include "pie_queue.h"

namespace mpd::link {

namespace {

QueueLimit limitOf(const QueueConfig& config) {
  if (!config.limitBytes && !config.limitPackets) return disciplineOf(config.kind).limit;
  const QueueLimit open;
  return {config.limitBytes.value_or(open.bytes), config.limitPackets.value_or(open.packets)};
}

PieConfig pieOf(const QueueConfig& config) {
  PieConfig pie;
  pie.targetNs = config.timeNs(QueueSetting::kTarget);
  pie.updateNs = config.timeNs(QueueSetting::kUpdate);
  pie.maxBurstNs = config.timeNs(QueueSetting::kBurst);
  pie.ecn = config.value(QueueSetting::kEcn) > 0;
  pie.ecnThreshold = config.value(QueueSetting::kEcnThreshold);
  return pie;
}

CodelConfig codelOf(const QueueConfig& config, std::uint32_t mtu) {
  return {.targetNs = config.timeNs(QueueSetting::kTarget),
          .intervalNs = config.timeNs(QueueSetting::kInterval),
          .ecn = config.value(QueueSetting::kEcn) > 0,
          .maxPacketBytes = mtu};
}

FlowSchedulerConfig flowsOf(const QueueConfig& config) {
  return {.flows = static_cast<std::uint32_t>(config.value(QueueSetting::kFlows)),
          .quantumBytes = static_cast<std::uint32_t>(config.value(QueueSetting::kQuantum))};
}

}  // namespace

double QueueConfig::value(QueueSetting setting) const {
  const auto index = static_cast<std::size_t>(setting);
  return settings[index].value_or(disciplineOf(kind).settings[index].value_or(0));
}

std::optional<QueueKind> queueKindOf(std::string_view name) {
  for (const QueueDiscipline& discipline : kQueueDisciplines) {
    if (discipline.name == name) return discipline.kind;
  }
  return std::nullopt;
}

std::unique_ptr<PacketQueue> makeQueue(const QueueConfig& config, std::uint32_t mtu, std::uint64_t seed) {
  const QueueLimit limit = limitOf(config);
  switch (config.kind) {
    case QueueKind::kPie:
      return std::make_unique<PieQueue>(limit, pieOf(config), seed);
    case QueueKind::kFqPie:
      return std::make_unique<FqPieQueue>(limit, pieOf(config), flowsOf(config), seed);
    case QueueKind::kCodel:
      return std::make_unique<CodelQueue>(limit, codelOf(config, mtu));
    case QueueKind::kFqCodel:
      return std::make_unique<FqCodelQueue>(limit, codelOf(config, mtu), flowsOf(config), seed);
    case QueueKind::kDroptail:
      break;
  }
  return std::make_unique<DroptailQueue>(limit);
}

}  // namespace mpd::link
