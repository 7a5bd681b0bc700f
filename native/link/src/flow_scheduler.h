#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "packet.h"

namespace mpd::link {

struct FlowSchedulerConfig {
  /// Number of flow queues (RFC 8290 section 5.2.5).
  std::uint32_t flows = 1'024;
  /// Bytes a flow may send per round (section 5.2.4).
  std::uint32_t quantumBytes = 1'514;
};

/// The deficit round robin of RFC 8290 section 4.2. New flows go first, for one quantum: a sparse flow never
/// waits behind a bulk flow.
/// @tparam Flow has `PacketFifo packets`; created at a flow's first packet
template <typename Flow>
class FlowScheduler {
 public:
  explicit FlowScheduler(const FlowSchedulerConfig& config)
      : quantumBytes_(config.quantumBytes), slots_(config.flows) {}

  /// The flow of a hash, created by `make` at its first packet.
  template <typename Make>
  Flow& at(std::uint64_t hash, const Make& make) {
    auto& slot = slots_[hash % slots_.size()];
    if (!slot) slot = std::make_unique<Slot>(make());
    return slot->flow;
  }

  /// Reports that the flow of a hash received a packet.
  void activate(std::uint64_t hash) {
    Slot* const slot = slots_[hash % slots_.size()].get();
    if (slot->isActive) return;
    slot->isActive = true;
    slot->deficitBytes = quantumBytes_;
    newFlows_.push_back(slot);
  }

  /// The next packet: `pull(flow)` of the flow that is scheduled.
  template <typename Pull>
  std::optional<Packet> dequeue(const Pull& pull) {
    for (;;) {
      const bool isNew = !newFlows_.empty();
      std::deque<Slot*>& turn = isNew ? newFlows_ : oldFlows_;
      if (turn.empty()) return std::nullopt;
      Slot* const slot = turn.front();
      if (slot->deficitBytes <= 0) {
        slot->deficitBytes += quantumBytes_;
        turn.pop_front();
        oldFlows_.push_back(slot);
        continue;
      }
      std::optional<Packet> packet = pull(slot->flow);
      if (packet) {
        slot->deficitBytes -= packet->sizeBytes;
        return packet;
      }
      turn.pop_front();
      if (isNew) {
        // An emptied new flow passes through the old flows once; otherwise a flow of single packets would
        // always go first.
        oldFlows_.push_back(slot);
      } else {
        slot->isActive = false;
      }
    }
  }

  /// Calls `visit(flow)` for every flow so far.
  template <typename Visit>
  void each(const Visit& visit) {
    for (auto& slot : slots_) {
      if (slot) visit(slot->flow);
    }
  }
  template <typename Visit>
  void each(const Visit& visit) const {
    for (const auto& slot : slots_) {
      if (slot) visit(static_cast<const Flow&>(slot->flow));
    }
  }

 private:
  struct Slot {
    explicit Slot(Flow made) : flow(std::move(made)) {}
    Flow flow;
    std::int64_t deficitBytes = 0;
    bool isActive = false;
  };

  std::uint32_t quantumBytes_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::deque<Slot*> newFlows_;
  std::deque<Slot*> oldFlows_;
};

}  // namespace mpd::link
