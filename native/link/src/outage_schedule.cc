#include "outage_schedule.h"

namespace mpd::link {

OutageSchedule OutageSchedule::startingAt(TimeNs startNs) const {
  OutageSchedule moved = *this;
  moved.startNs_ = startNs;
  return moved;
}

bool OutageSchedule::isOut(TimeNs nowNs) const {
  if (nowNs < startNs_) return false;
  const TimeNs sinceNs = nowNs - startNs_;
  const TimeNs phaseNs = periodNs_ == 0 ? sinceNs : sinceNs % periodNs_;
  for (const Outage& outage : outages_) {
    if (phaseNs >= outage.atNs && phaseNs - outage.atNs < outage.durationNs) return true;
  }
  return false;
}

TimeNs OutageSchedule::nextChangeNs(TimeNs nowNs) const {
  if (outages_.empty()) return kNever;
  const TimeNs sinceNs = nowNs < startNs_ ? 0 : nowNs - startNs_;
  const TimeNs phaseNs = periodNs_ == 0 ? sinceNs : sinceNs % periodNs_;
  const TimeNs roundNs = startNs_ + sinceNs - phaseNs;
  for (const Outage& outage : outages_) {
    if (phaseNs < outage.atNs) return roundNs + outage.atNs;
    if (phaseNs < outage.atNs + outage.durationNs) return roundNs + outage.atNs + outage.durationNs;
  }
  return periodNs_ == 0 ? kNever : roundNs + periodNs_;
}

}  // namespace mpd::link
