#include "delay_line.hpp"

#include <algorithm>

namespace mpd::link {

void DelayLine::push(Packet packet, TimeNs departedNs) {
  const TimeNs lastNs = line_.empty() ? 0 : line_.back().dueNs;
  line_.push_back({std::move(packet), std::max(lastNs, departedNs + delayNs_)});
}

std::optional<DelayLine::Due> DelayLine::pop(TimeNs nowNs) {
  if (line_.empty() || line_.front().dueNs > nowNs) return std::nullopt;
  Due due = std::move(line_.front());
  line_.pop_front();
  return due;
}

std::size_t DelayLine::clear() {
  const std::size_t dropped = line_.size();
  line_.clear();
  return dropped;
}

}  // namespace mpd::link
