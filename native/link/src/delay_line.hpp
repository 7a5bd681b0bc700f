#pragma once

#include <deque>
#include <optional>

#include "packet.hpp"

namespace mpd::link {

/// The propagation delay: packets come out `delayNs` after they went in, in order unless overtaking is
/// allowed. A shorter delay set while packets are under way lets none overtake another.
class DelayLine {
 public:
  void push(Packet packet, TimeNs departedNs, TimeNs delayNs, bool mayOvertake = false);

  /// The next packet due at or before `nowNs`, with the instant it was due.
  struct Due {
    Packet packet;
    TimeNs dueNs;
  };
  std::optional<Due> pop(TimeNs nowNs);

  /// Throws away what is due after `nowNs`; returns how many packets that were.
  std::size_t clearAfter(TimeNs nowNs);
  std::size_t clear();
  [[nodiscard]] TimeNs nextDueNs() const { return line_.empty() ? kNever : line_.front().dueNs; }
  [[nodiscard]] bool empty() const { return line_.empty(); }

 private:
  /// By the instant they are due.
  std::deque<Due> line_;
};

}  // namespace mpd::link
