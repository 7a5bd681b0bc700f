#pragma once

#include <deque>
#include <optional>

#include "packet.h"

namespace mpd::link {

/// The propagation delay: each packet leaves `delayNs` after it entered, in order unless reordering is
/// allowed. A shorter delay set meanwhile reorders no packets.
class DelayLine {
 public:
  void push(Packet packet, TimeNs departedNs, TimeNs delayNs, bool mayOvertake = false);

  /// The next packet due at or before `nowNs`, with its due time.
  struct Due {
    Packet packet;
    TimeNs dueNs;
  };
  std::optional<Due> pop(TimeNs nowNs);

  /// Discards packets due after `nowNs`; returns their number.
  std::size_t clearAfter(TimeNs nowNs);
  [[nodiscard]] TimeNs nextDueNs() const { return line_.empty() ? kNever : line_.front().dueNs; }
  [[nodiscard]] bool empty() const { return line_.empty(); }

 private:
  /// Sorted by due time.
  std::deque<Due> line_;
};

}  // namespace mpd::link
