#pragma once

#include <vector>

#include "packet.hpp"

namespace mpd::link {

/// From `atNs` after the start of the schedule, for a while.
struct Outage {
  TimeNs atNs = 0;
  TimeNs durationNs = 0;
};

/// When a direction loses everything: a list of outages, once or over and over.
class OutageSchedule {
 public:
  OutageSchedule() = default;
  /// @param outages in order of time, without overlap
  /// @param periodNs the list starts again after it, no sooner than the last outage ends; 0: once
  OutageSchedule(std::vector<Outage> outages, TimeNs periodNs)
      : outages_(std::move(outages)), periodNs_(periodNs) {}

  /// The same schedule, counted from an instant.
  [[nodiscard]] OutageSchedule startingAt(TimeNs startNs) const;

  [[nodiscard]] bool isOut(TimeNs nowNs) const;
  /// The first instant after `nowNs` at which `isOut` may change.
  [[nodiscard]] TimeNs nextChangeNs(TimeNs nowNs) const;
  [[nodiscard]] bool isEmpty() const { return outages_.empty(); }

 private:
  std::vector<Outage> outages_;
  TimeNs periodNs_ = 0;
  TimeNs startNs_ = 0;
};

}  // namespace mpd::link
