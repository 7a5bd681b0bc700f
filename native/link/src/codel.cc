#include "codel.h"

#include <cmath>

#include "ip_header.h"

namespace mpd::link {

namespace {
/// Section 5.5: within this many intervals of the last drop the old drop rate resumes.
constexpr TimeNs kMemoryIntervals = 16;
}  // namespace

TimeNs Codel::controlLaw(TimeNs fromNs) const {
  return fromNs + static_cast<TimeNs>(static_cast<double>(config_.intervalNs) /
                                      std::sqrt(static_cast<double>(count_)));
}

Codel::Head Codel::take(PacketFifo& queue, TimeNs nowNs) {
  const TimeNs sojournNs = queue.headAgeNs(nowNs);
  Head head{queue.pop()};
  if (!head.packet) {
    firstAboveNs_ = 0;
    return head;
  }
  if (sojournNs < config_.targetNs || queue.sizeBytes() <= config_.maxPacketBytes) {
    firstAboveNs_ = 0;
  } else if (firstAboveNs_ == 0) {
    firstAboveNs_ = nowNs + config_.intervalNs;
  } else {
    head.okToDrop = nowNs >= firstAboveNs_;
  }
  return head;
}

std::optional<Packet> Codel::dequeue(PacketFifo& queue, TimeNs nowNs, std::uint32_t& dropped,
                                     std::uint64_t& marks) {
  const auto marked = [&](Packet& packet) {
    if (!config_.ecn || !markCongestion(packet.bytes())) return false;
    marks += 1;
    return true;
  };
  Head head = take(queue, nowNs);
  if (!head.packet) {
    isDropping_ = false;
    return std::nullopt;
  }
  if (isDropping_) {
    if (!head.okToDrop) isDropping_ = false;
    while (isDropping_ && nowNs >= dropNextNs_) {
      count_ += 1;
      if (marked(*head.packet)) {
        dropNextNs_ = controlLaw(dropNextNs_);
        break;
      }
      dropped += 1;
      head = take(queue, nowNs);
      if (head.okToDrop) {
        dropNextNs_ = controlLaw(dropNextNs_);
      } else {
        isDropping_ = false;
      }
    }
  } else if (head.okToDrop) {
    if (!marked(*head.packet)) {
      dropped += 1;
      head = take(queue, nowNs);
    }
    isDropping_ = true;
    // Re-entry: a drop rate that was nearly right is reused (section 5.5).
    const std::uint64_t delta = count_ - lastCount_;
    const bool isRecent = nowNs < dropNextNs_ + kMemoryIntervals * config_.intervalNs;
    count_ = delta > 1 && isRecent ? delta : 1;
    lastCount_ = count_;
    dropNextNs_ = controlLaw(nowNs);
  }
  return std::move(head.packet);
}

}  // namespace mpd::link
