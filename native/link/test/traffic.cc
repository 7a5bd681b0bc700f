#include "traffic.h"

#include <algorithm>

#include "packets.h"

namespace traffic {

namespace {

constexpr std::uint32_t kFullPacket = 1'500;
constexpr TimeNs kSilenceNs = 1'000 * kMs;

std::uint64_t keyOf(std::uint16_t flow, std::uint32_t number) {
  return std::uint64_t{flow} << 32 | number;
}

}  // namespace

void Reno::onDelivery(std::uint32_t number, bool isMarked, TimeNs nowNs) {
  heardNs = nowNs;
  if (number < expected) return;
  const std::uint32_t lost = number - expected;
  inFlight = std::max(0.0, inFlight - lost - 1);
  expected = number + 1;
  if ((lost > 0 || isMarked) && number >= recoverFrom) {
    threshold = window = std::max(2.0, window / 2);
    recoverFrom = nextNumber;
  } else {
    window += window < threshold ? 1 : 1 / window;
  }
}

void Reno::onTick(TimeNs nowNs) {
  if (nowNs - heardNs < kSilenceNs) return;
  heardNs = nowNs;
  inFlight = 0;
  window = 2;
}

void Run::until(TimeNs fromNs, TimeNs untilNs) {
  TimeNs nextTickNs = nowNs_;
  while (nowNs_ < untilNs) {
    for (Reno& reno : reno_) {
      if (nowNs_ >= nextTickNs) reno.onTick(nowNs_);
      for (; reno.inFlight < reno.window; reno.inFlight += 1) {
        send(reno.flow, kFullPacket, reno.nextNumber, reno.ecn ? 2 : 0);
        reno.nextNumber += 1;
      }
    }
    for (Steady& steady : steady_) {
      for (; steady.nextNs <= nowNs_; steady.nextNs += steady.everyNs) {
        send(steady.flow, steady.sizeBytes, steady.sent, 0);
        steady.sent += 1;
      }
    }
    if (nowNs_ >= nextTickNs) nextTickNs = nowNs_ + 100 * kMs;
    TimeNs nextNs = std::min({untilNs, nextTickNs, direction_.nextEventNs()});
    for (const Steady& steady : steady_) nextNs = std::min(nextNs, steady.nextNs);
    nowNs_ = nextNs;
    direction_.advance(nowNs_, [&](const Packet& packet, TimeNs dueNs) { deliver(packet, dueNs, fromNs); });
  }
}

void Run::send(std::uint16_t flow, std::uint32_t sizeBytes, std::uint32_t number, std::uint8_t ecn) {
  sentNs_[keyOf(flow, number)] = nowNs_;
  direction_.arrive(makeUdp4(sizeBytes, flow, number, ecn), nowNs_);
}

void Run::deliver(const Packet& packet, TimeNs dueNs, TimeNs fromNs) {
  const std::uint16_t flow = flowOf(packet);
  const std::uint32_t number = numberOf(packet);
  const bool isMarked = ecnOf(packet) == 3;
  order_.push_back(keyOf(flow, number));
  for (Reno& reno : reno_) {
    if (reno.flow == flow) reno.onDelivery(number, isMarked, dueNs);
  }
  const auto sent = sentNs_.extract(keyOf(flow, number));
  if (dueNs < fromNs) return;
  FlowResult& result = results_[flow];
  result.packets += 1;
  result.bytes += packet.sizeBytes;
  result.marked += isMarked ? 1 : 0;
  // A duplicate has no sending time left, so it gets the maximum delay.
  result.delay.add(sent.empty() ? mpd::link::kNever / 2 : dueNs - sent.mapped());
}

}  // namespace traffic
