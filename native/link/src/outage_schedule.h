#pragma once

#include <vector>

#include "packet.h"

namespace mpd::link {

/// An interval, from `atNs` after the start of the schedule.
struct Outage {
  TimeNs atNs = 0;
  TimeNs durationNs = 0;
};

/// Outages of a direction: a list, once or periodic.
class OutageSchedule {
 public:
  OutageSchedule() = default;
  /// @param outages in order of time, without overlap
  /// @param periodNs the list repeats with this period, which covers its last outage; 0: once
  OutageSchedule(std::vector<Outage> outages, TimeNs periodNs)
      : outages_(std::move(outages)), periodNs_(periodNs) {}

  /// The same schedule with another start time.
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
