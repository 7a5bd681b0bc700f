#include "queue_config.h"

#include "codel_queue.h"
#include "droptail_queue.h"
#include "fq_codel_queue.h"
#include "fq_pie_queue.h"
#include "pie_queue.h"

namespace mpd::link {

namespace {

constexpr std::uint64_t kDroptailBytes = 60'000;
constexpr std::uint64_t kSinglePackets = 1'000;
constexpr std::uint64_t kFqPackets = 10'240;
constexpr std::uint64_t kFqBytes = 32'000'000;

QueueLimit limitOf(const QueueConfig& config) {
  QueueLimit limit;
  if (!config.limitBytes && !config.limitPackets) {
    switch (config.kind) {
      case QueueKind::kDroptail:
        limit.bytes = kDroptailBytes;
        break;
      case QueueKind::kPie:
      case QueueKind::kCodel:
        limit.packets = kSinglePackets;
        break;
      case QueueKind::kFqPie:
      case QueueKind::kFqCodel:
        limit = {kFqBytes, kFqPackets};
        break;
    }
  }
  if (config.limitBytes) limit.bytes = *config.limitBytes;
  if (config.limitPackets) limit.packets = *config.limitPackets;
  return limit;
}

}  // namespace

std::optional<QueueKind> queueKindOf(std::string_view name) {
  if (name == "droptail") return QueueKind::kDroptail;
  if (name == "pie") return QueueKind::kPie;
  if (name == "fq_pie") return QueueKind::kFqPie;
  if (name == "codel") return QueueKind::kCodel;
  if (name == "fq_codel") return QueueKind::kFqCodel;
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
