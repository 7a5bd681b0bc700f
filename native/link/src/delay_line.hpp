#pragma once

#include <deque>
#include <optional>

#include "packet.hpp"

namespace mpd::link {

/// The propagation delay: packets come out in order, `delayNs` after they went in. A shorter delay
/// set while packets are under way lets none overtake another.
class DelayLine {
 public:
  explicit DelayLine(TimeNs delayNs) : delayNs_(delayNs) {}

  void push(Packet packet, TimeNs departedNs);

  /// The next packet due at or before `nowNs`, with the instant it was due.
  struct Due {
    Packet packet;
    TimeNs dueNs;
  };
  std::optional<Due> pop(TimeNs nowNs);

  std::size_t clear();
  void setDelayNs(TimeNs delayNs) { delayNs_ = delayNs; }
  [[nodiscard]] TimeNs delayNs() const { return delayNs_; }
  [[nodiscard]] TimeNs nextDueNs() const { return line_.empty() ? kNever : line_.front().dueNs; }
  [[nodiscard]] std::size_t sizePackets() const { return line_.size(); }

 private:
  std::deque<Due> line_;
  TimeNs delayNs_;
};

}  // namespace mpd::link
