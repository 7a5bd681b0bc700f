#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "packet.h"

namespace mpd::link {

/// A rate, optionally with a delay, for some time. A rate of 0 is an outage without loss.
struct TraceStep {
  TimeNs durationNs = 0;
  std::uint64_t rateBps = 0;
  std::optional<TimeNs> delayNs;
};

/// Steps with their end times from the start of the trace. It grows first, and is shared afterwards.
class RateTrace {
 public:
  void append(const TraceStep& step);

  [[nodiscard]] bool isEmpty() const { return steps_.empty(); }
  [[nodiscard]] std::size_t size() const { return steps_.size(); }
  [[nodiscard]] TimeNs lengthNs() const { return endsNs_.empty() ? 0 : endsNs_.back(); }
  /// True if any step has a rate above 0.
  [[nodiscard]] bool hasCapacity() const { return hasCapacity_; }
  /// The step at a time before the end.
  [[nodiscard]] std::size_t indexAt(TimeNs offsetNs) const;
  [[nodiscard]] const TraceStep& step(std::size_t index) const { return steps_[index]; }
  [[nodiscard]] TimeNs endNs(std::size_t index) const { return endsNs_[index]; }

 private:
  std::vector<TraceStep> steps_;
  std::vector<TimeNs> endsNs_;
  bool hasCapacity_ = false;
};

/// A position in a trace that moves with time; the trace repeats, or its last step stays.
class TraceCursor {
 public:
  /// @param trace not empty
  TraceCursor(std::shared_ptr<const RateTrace> trace, bool loops, TimeNs startNs);

  /// Moves to the step of a time, forwards only.
  void seek(TimeNs nowNs);

  [[nodiscard]] const TraceStep& step() const { return trace_->step(index_); }
  /// Start of the next step; kNever after the last.
  [[nodiscard]] TimeNs nextChangeNs() const { return nextChangeNs_; }

 private:
  std::shared_ptr<const RateTrace> trace_;
  bool loops_;
  TimeNs startNs_;
  std::size_t index_ = 0;
  TimeNs nextChangeNs_ = 0;
};

}  // namespace mpd::link
