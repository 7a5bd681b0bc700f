#include "queue_config.h"

#include "codel_queue.h"
#include "droptail_queue.h"
#include "fq_codel_queue.h"
#include "fq_pie_queue.h"
#include "pie_queue.h"

namespace mpd::link {

namespace {

QueueLimit limitOf(const QueueConfig& config) {
  if (config.limitBytes || config.limitPackets) {
    const QueueLimit open;
    return {config.limitBytes.value_or(open.bytes), config.limitPackets.value_or(open.packets)};
  }
  for (const QueueDiscipline& discipline : kQueueDisciplines) {
    if (discipline.kind == config.kind) return discipline.limit;
  }
  return {};
}

}  // namespace

std::optional<QueueKind> queueKindOf(std::string_view name) {
  for (const QueueDiscipline& discipline : kQueueDisciplines) {
    if (discipline.name == name) return discipline.kind;
  }
  return std::nullopt;
}

std::unique_ptr<PacketQueue> makeQueue(const QueueConfig& config, std::uint32_t mtu, std::uint64_t seed) {
  const QueueLimit limit = limitOf(config);
  PieConfig pie = config.pie;
  CodelConfig codel = config.codel;
  codel.maxPacketBytes = mtu;
  if (config.targetNs) {
    pie.targetNs = *config.targetNs;
    codel.targetNs = *config.targetNs;
  }
  switch (config.kind) {
    case QueueKind::kPie:
      return std::make_unique<PieQueue>(limit, pie, seed);
    case QueueKind::kFqPie:
      return std::make_unique<FqPieQueue>(limit, pie, config.flows, seed);
    case QueueKind::kCodel:
      return std::make_unique<CodelQueue>(limit, codel);
    case QueueKind::kFqCodel:
      return std::make_unique<FqCodelQueue>(limit, codel, config.flows, seed);
    case QueueKind::kDroptail:
      break;
  }
  return std::make_unique<DroptailQueue>(limit);
}

}  // namespace mpd::link
