#include "delay_line.h"

#include <algorithm>

namespace mpd::link {

void DelayLine::push(Packet packet, TimeNs departedNs, TimeNs delayNs, bool mayOvertake) {
  const TimeNs lastNs = line_.empty() ? 0 : line_.back().dueNs;
  TimeNs dueNs = departedNs + delayNs;
  if (dueNs < lastNs && mayOvertake) {
    const auto later = std::upper_bound(line_.begin(), line_.end(), dueNs,
                                        [](TimeNs atNs, const Due& due) { return atNs < due.dueNs; });
    line_.insert(later, {std::move(packet), dueNs});
    return;
  }
  dueNs = std::max(lastNs, dueNs);
  line_.push_back({std::move(packet), dueNs});
}

std::optional<DelayLine::Due> DelayLine::pop(TimeNs nowNs) {
  if (line_.empty() || line_.front().dueNs > nowNs) return std::nullopt;
  Due due = std::move(line_.front());
  line_.pop_front();
  return due;
}

std::size_t DelayLine::clearAfter(TimeNs nowNs) {
  std::size_t dropped = 0;
  for (; !line_.empty() && line_.back().dueNs > nowNs; dropped += 1) line_.pop_back();
  return dropped;
}

}  // namespace mpd::link
