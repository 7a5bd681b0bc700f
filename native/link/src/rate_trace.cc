#include "rate_trace.h"

#include <algorithm>

namespace mpd::link {

void RateTrace::append(const TraceStep& step) {
  endsNs_.push_back(lengthNs() + step.durationNs);
  steps_.push_back(step);
  hasCapacity_ = hasCapacity_ || step.rateBps > 0;
}

std::size_t RateTrace::indexAt(TimeNs offsetNs) const {
  const auto end = std::upper_bound(endsNs_.begin(), endsNs_.end(), offsetNs);
  return static_cast<std::size_t>(end - endsNs_.begin());
}

TraceCursor::TraceCursor(std::shared_ptr<const RateTrace> trace, bool loops, TimeNs startNs)
    : trace_(std::move(trace)), loops_(loops), startNs_(startNs) {
  seek(startNs);
}

void TraceCursor::seek(TimeNs nowNs) {
  if (nowNs < nextChangeNs_) return;
  const TimeNs lengthNs = trace_->lengthNs();
  const TimeNs sinceNs = nowNs - startNs_;
  if (lengthNs <= 0 || (!loops_ && sinceNs >= lengthNs)) {
    index_ = trace_->size() - 1;
    nextChangeNs_ = kNever;
    return;
  }
  const TimeNs offsetNs = sinceNs % lengthNs;
  index_ = trace_->indexAt(offsetNs);
  const bool isLast = !loops_ && index_ + 1 == trace_->size();
  nextChangeNs_ = isLast ? kNever : nowNs - offsetNs + trace_->endNs(index_);
}

}  // namespace mpd::link
