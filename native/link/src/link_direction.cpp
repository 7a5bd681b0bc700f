#include "link_direction.hpp"

#include <algorithm>

namespace mpd::link {

void LinkDirection::arrive(Packet packet, TimeNs nowNs) {
  serve(nowNs);
  stats_.inPackets += 1;
  stats_.inBytes += packet.sizeBytes;
  if (state_ != LinkState::kUp) {
    stats_.stateDrops += 1;
    return;
  }
  packet.arrivedNs = nowNs;
  stats_.queueDrops += queue_->enqueue(std::move(packet), nowNs);
  if (finishNs_ != kNever) return;
  std::uint32_t dropped = 0;
  if (auto next = queue_->dequeue(nowNs, dropped)) start(std::move(*next), nowNs);
  stats_.queueDrops += dropped;
}

void LinkDirection::advance(TimeNs nowNs, const Deliver& deliver) {
  serve(nowNs);
  while (auto due = line_.pop(nowNs)) {
    stats_.outPackets += 1;
    stats_.outBytes += due->packet.sizeBytes;
    deliver(due->packet, due->dueNs);
  }
}

TimeNs LinkDirection::nextEventNs() const {
  return std::min(finishNs_, line_.nextDueNs());
}

void LinkDirection::setRate(std::uint64_t rateBps, TimeNs nowNs) {
  serve(nowNs);
  finishNs_ = server_.setRate(rateBps, nowNs, finishNs_);
}

void LinkDirection::setDelayNs(TimeNs delayNs, TimeNs nowNs) {
  serve(nowNs);
  line_.setDelayNs(delayNs);
}

void LinkDirection::setLoss(double probability, TimeNs nowNs) {
  serve(nowNs);
  loss_.setProbability(probability);
}

void LinkDirection::setState(LinkState state, TimeNs nowNs) {
  serve(nowNs);
  state_ = state;
  if (state == LinkState::kUp) return;
  stats_.stateDrops += queue_->clear() + line_.clear() + (finishNs_ == kNever ? 0 : 1);
  inService_ = {};
  finishNs_ = kNever;
}

void LinkDirection::serve(TimeNs nowNs) {
  while (finishNs_ <= nowNs) {
    const TimeNs departedNs = finishNs_;
    Packet departed = std::move(inService_);
    finishNs_ = kNever;
    if (loss_.isLost()) {
      stats_.lossDrops += 1;
    } else {
      line_.push(std::move(departed), departedNs);
    }
    std::uint32_t dropped = 0;
    if (auto next = queue_->dequeue(departedNs, dropped)) start(std::move(*next), departedNs);
    stats_.queueDrops += dropped;
  }
}

void LinkDirection::start(Packet packet, TimeNs startNs) {
  finishNs_ = server_.finishNs(packet.sizeBytes, startNs);
  inService_ = std::move(packet);
}

}  // namespace mpd::link
