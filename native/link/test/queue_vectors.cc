#include "queue_vectors.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

#include "ip_header.h"
#include "packets.h"
#include "random.h"

using namespace mpd::link;

namespace {

constexpr std::uint32_t kMtu = 1'500;
constexpr std::uint64_t kQueueSeed = 11;
constexpr std::uint64_t kTrafficSeed = 12;
constexpr std::uint64_t kDrainRateBps = 2'000'000;

/// Arrivals at a constant rate; the mean packet needs 4.7 ms.
struct Phase {
  std::uint32_t arrivals;
  TimeNs leastGapNs;
};
/// Slight overload keeps PIE's drop probability below the ECN threshold for long. Heavy overload exceeds
/// the threshold and overflows the queue. Underload lets delays fall to nothing. Heavy overload follows
/// again.
constexpr Phase kPhases[] = {{400, 33 * kMs / 10}, {100, 2 * kMs}, {60, 6 * kMs}, {60, 2 * kMs}};

struct FlowKind {
  std::uint16_t flow;
  std::uint32_t bytes;
  std::uint8_t ecn;
};
/// Flows: one that fills the link and has ECN in every other packet (retransmissions have none), one that
/// fills it with ECN in all, and a sparse one.
constexpr FlowKind kFlows[] = {{1, 1'500, 0}, {1, 1'500, 2}, {2, 1'400, 2}, {2, 1'400, 2}, {3, 120, 0}};

/// Flow queues of the disciplines that have some.
constexpr std::uint32_t kFlowQueues = 16;
/// Values with which every branch of a discipline is taken. A setting that is not here has its default.
constexpr std::pair<QueueSetting, double> kRecorded[] = {
    {QueueSetting::kTarget, 15 * kMs},  {QueueSetting::kInterval, 50 * kMs},
    {QueueSetting::kBurst, 60 * kMs},   {QueueSetting::kEcn, 1},
    {QueueSetting::kEcnThreshold, 0.3}, {QueueSetting::kFlows, kFlowQueues},
    {QueueSetting::kQuantum, kMtu}};

QueueConfig configOf(QueueKind kind) {
  QueueConfig config;
  config.kind = kind;
  config.limitPackets = 40;
  config.limitBytes = 45'000;
  for (const auto& [setting, value] : kRecorded) config.set(setting, value);
  return config;
}

std::string nameOf(QueueKind kind) {
  return std::string(disciplineOf(kind).name);
}

/// The settings that the discipline reads, as JSON fields of the simulator's units.
std::string settingsOf(QueueKind kind) {
  std::string text;
  for (const QueueSettingRow& row : kQueueSettings) {
    if (!disciplineOf(kind).settings[static_cast<std::size_t>(row.setting)]) continue;
    const double value = configOf(kind).value(row.setting);
    char number[32];
    std::snprintf(number, sizeof number, "%g", row.kind == SettingKind::kTime ? value / kMs : value);
    const char* const flag = value > 0 ? "true" : "false";
    text +=
        "  \"" + std::string(row.field) + "\": " + (row.kind == SettingKind::kFlag ? flag : number) + ",\n";
  }
  return text;
}

/// Runs the sequence and writes one line per event.
class Recorder {
 public:
  explicit Recorder(QueueKind kind) : queue_(makeQueue(configOf(kind), kMtu, kQueueSeed)) {}

  std::string run() {
    TimeNs nowNs = 5 * kMs;
    std::uint32_t number = 0;
    for (const Phase& phase : kPhases) {
      for (const std::uint32_t end = number + phase.arrivals; number < end; number += 1) {
        while (finishNs_ <= nowNs) leave(finishNs_);
        enqueue(nowNs, number, kFlows[traffic_.next() % std::size(kFlows)]);
        if (finishNs_ == kNever) leave(nowNs);
        nowNs += phase.leastGapNs + traffic_.next() % (2 * kMs);
      }
    }
    while (finishNs_ != kNever) leave(finishNs_);
    return std::move(lines_);
  }

  [[nodiscard]] std::uint64_t marks() const { return queue_->marks(); }

 private:
  void enqueue(TimeNs nowNs, std::uint32_t number, const FlowKind& kind) {
    Packet packet = makeUdp4(kind.bytes, kind.flow, number, kind.ecn);
    packet.arrivedNs = nowNs;
    const std::uint32_t dropped = queue_->enqueue(std::move(packet), nowNs);
    char text[120];
    std::snprintf(text, sizeof text, "[%llu,\"e\",%u,%u,%u,%u,", static_cast<unsigned long long>(nowNs),
                  number, kind.bytes, unsigned{kind.flow}, unsigned{kind.ecn});
    line(text, dropped);
  }

  void leave(TimeNs nowNs) {
    std::uint32_t dropped = 0;
    const std::optional<Packet> packet = queue_->dequeue(nowNs, dropped);
    finishNs_ = packet ? nowNs + std::uint64_t{packet->sizeBytes} * 8'000'000'000 / kDrainRateBps : kNever;
    char text[120];
    std::snprintf(text, sizeof text, "[%llu,\"d\",%lld,%u,%u,%u,", static_cast<unsigned long long>(nowNs),
                  packet ? static_cast<long long>(numberOf(*packet)) : -1, packet ? packet->sizeBytes : 0,
                  packet ? unsigned{flowOf(*packet)} : 0, packet ? unsigned{ecnOf(*packet)} : 0);
    line(text, dropped);
  }

  void line(const char* head, std::uint32_t dropped) {
    char tail[120];
    std::snprintf(tail, sizeof tail, "%u,%zu,%llu,%.6g]", dropped, queue_->sizePackets(),
                  static_cast<unsigned long long>(queue_->sizeBytes()), queue_->dropProbability());
    lines_ += lines_.empty() ? "    " : ",\n    ";
    lines_ += head;
    lines_ += tail;
  }

  std::unique_ptr<PacketQueue> queue_;
  SplitMix64 traffic_{kTrafficSeed};
  TimeNs finishNs_ = kNever;
  std::string lines_;
};

}  // namespace

std::string queueVectorFile(QueueKind kind) {
  return std::string("testdata/queue-vectors/") + nameOf(kind) + ".json";
}

std::string makeQueueVector(QueueKind kind) {
  std::string queues;
  for (std::uint16_t flow = 1; flow <= 3; flow += 1) {
    const std::uint64_t hash = hashFlow(makeUdp4(100, flow).bytes(), kQueueSeed);
    queues += (flow == 1 ? "" : ", ") + std::string("\"") + std::to_string(flow) +
              "\": " + std::to_string(hash % kFlowQueues);
  }
  std::string text = std::string("{\n  \"discipline\": \"") + nameOf(kind) + "\",\n";
  text += "  \"limitPackets\": 40,\n  \"limitBytes\": 45000,\n" + settingsOf(kind);
  text += "  \"maxPacketBytes\": 1500,\n";
  text += "  \"seed\": " + std::to_string(kQueueSeed) + ",\n  \"queueOfFlow\": {" + queues + "},\n";
  Recorder recorder(kind);
  const std::string events = recorder.run();
  text += "  \"marks\": " + std::to_string(recorder.marks()) + ",\n";
  text += "  \"events\": [\n" + events + "\n  ]\n}\n";
  return text;
}
