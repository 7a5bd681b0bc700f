#include "link_direction.h"

#include <algorithm>

namespace mpd::link {

namespace {
/// Separates the sequences of losses and of jitter.
constexpr std::uint64_t kJitterSeed = 0x2545f4914f6cdd1d;
}  // namespace

LinkDirection::LinkDirection(std::unique_ptr<PacketQueue> queue, const DirectionSettings& settings,
                             std::uint64_t seed)
    : queue_(std::move(queue)),
      server_(settings.rateBps),
      loss_(settings.loss, seed),
      jitter_(settings.jitter, seed ^ kJitterSeed),
      delayNs_(settings.delayNs) {}

void LinkDirection::arrive(Packet packet, TimeNs nowNs) {
  serve(nowNs);
  stats_.inPackets += 1;
  stats_.inBytes += packet.sizeBytes;
  if (state_ != LinkState::kUp || isOut_) {
    stats_.stateDrops += 1;
    return;
  }
  packet.arrivedNs = nowNs;
  stats_.queueDrops += queue_->enqueue(std::move(packet), nowNs);
  if (!inService_) startNext(nowNs);
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
  // A rate change moves the end of a packet in service; an outage has no effect until the next event.
  const TimeNs serviceNs = inService_ ? std::min(finishNs_, traceChangeNs()) : kNever;
  return std::min(serviceNs, line_.nextDueNs());
}

void LinkDirection::setRate(std::uint64_t rateBps, TimeNs nowNs) {
  serve(nowNs);
  trace_.reset();
  finishNs_ = server_.setRate(rateBps, nowNs, finishNs_);
}

void LinkDirection::setTrace(std::shared_ptr<const RateTrace> trace, bool loops, TimeNs nowNs) {
  serve(nowNs);
  trace_.emplace(std::move(trace), loops, nowNs);
  followTrace(nowNs);
}

void LinkDirection::endTrace(TimeNs nowNs) {
  serve(nowNs);
  trace_.reset();
}

void LinkDirection::setDelayNs(TimeNs delayNs, TimeNs nowNs) {
  serve(nowNs);
  delayNs_ = delayNs;
}

void LinkDirection::setJitter(const JitterConfig& jitter, TimeNs nowNs) {
  serve(nowNs);
  jitter_.set(jitter);
}

void LinkDirection::setLoss(const LossConfig& loss, TimeNs nowNs) {
  serve(nowNs);
  loss_.set(loss);
}

void LinkDirection::setOutages(const OutageSchedule& outages, TimeNs nowNs) {
  serve(nowNs);
  outages_ = outages.startingAt(nowNs);
  followOutages(nowNs);
}

void LinkDirection::setState(LinkState state, TimeNs nowNs) {
  serve(nowNs);
  state_ = state;
  if (state == LinkState::kUp) return;
  dropUnderWay();
  // A packet that is due has left the link, even if the caller fetches it late.
  stats_.stateDrops += line_.clearAfter(nowNs);
}

void LinkDirection::serve(TimeNs nowNs) {
  while (inService_ || !line_.empty()) {
    const TimeNs rateChangeNs = traceChangeNs();
    const TimeNs atNs = std::min({finishNs_, rateChangeNs, outageChangeNs_});
    if (atNs > nowNs) return;
    if (atNs == finishNs_) {
      depart(atNs);
    } else if (atNs == rateChangeNs) {
      followTrace(atNs);
    } else {
      followOutages(atNs);
    }
  }
  // Only the present state matters for an idle direction.
  if (traceChangeNs() <= nowNs) followTrace(nowNs);
  if (outageChangeNs_ <= nowNs) followOutages(nowNs);
}

void LinkDirection::depart(TimeNs departedNs) {
  Packet departed = std::move(*inService_);
  inService_.reset();
  finishNs_ = kNever;
  if (loss_.isLost()) {
    stats_.lossDrops += 1;
  } else {
    line_.push(std::move(departed), departedNs, jitter_.delayNs(delayNs_), jitter_.config().mayReorder);
  }
  startNext(departedNs);
}

void LinkDirection::startNext(TimeNs startNs) {
  std::uint32_t dropped = 0;
  inService_ = queue_->dequeue(startNs, dropped);
  stats_.queueDrops += dropped;
  if (!inService_) return;
  finishNs_ = server_.finishNs(inService_->sizeBytes, startNs);
  if (waited_) waited_(startNs - inService_->arrivedNs);
}

void LinkDirection::dropUnderWay() {
  stats_.stateDrops += queue_->clear() + (inService_ ? 1 : 0);
  inService_.reset();
  finishNs_ = kNever;
  server_.abandon();
}

void LinkDirection::followTrace(TimeNs nowNs) {
  trace_->seek(nowNs);
  const TraceStep& step = trace_->step();
  finishNs_ = server_.setRate(step.rateBps, nowNs, finishNs_);
  if (step.delayNs) delayNs_ = *step.delayNs;
}

void LinkDirection::followOutages(TimeNs nowNs) {
  isOut_ = outages_.isOut(nowNs);
  outageChangeNs_ = outages_.nextChangeNs(nowNs);
  if (!isOut_) return;
  dropUnderWay();
  stats_.stateDrops += line_.clearAfter(nowNs);
}

}  // namespace mpd::link
