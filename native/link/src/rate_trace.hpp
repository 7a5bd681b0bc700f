#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "packet.hpp"

namespace mpd::link {

/// A rate, and with it a delay if it has one, for a while. A rate of 0 is an outage that loses nothing.
struct TraceStep {
  TimeNs durationNs = 0;
  std::uint64_t rateBps = 0;
  std::optional<TimeNs> delayNs;
};

/// Steps with the instants they end at, from the start of the trace. Grows, and is then shared.
class RateTrace {
 public:
  void append(const TraceStep& step);

  [[nodiscard]] bool isEmpty() const { return steps_.empty(); }
  [[nodiscard]] std::size_t size() const { return steps_.size(); }
  [[nodiscard]] TimeNs lengthNs() const { return endsNs_.empty() ? 0 : endsNs_.back(); }
  /// Whether anything can ever be sent.
  [[nodiscard]] bool hasCapacity() const { return hasCapacity_; }
  /// The step that covers an instant before the end.
  [[nodiscard]] std::size_t indexAt(TimeNs offsetNs) const;
  [[nodiscard]] const TraceStep& step(std::size_t index) const { return steps_[index]; }
  [[nodiscard]] TimeNs endNs(std::size_t index) const { return endsNs_[index]; }

 private:
  std::vector<TraceStep> steps_;
  std::vector<TimeNs> endsNs_;
  bool hasCapacity_ = false;
};

/// A place in a trace that moves with time: over and over, or once, after which the last step stays.
class TraceCursor {
 public:
  /// @param trace not empty
  TraceCursor(std::shared_ptr<const RateTrace> trace, bool loops, TimeNs startNs);

  /// Goes to the step of an instant, forwards only.
  void seek(TimeNs nowNs);

  [[nodiscard]] const TraceStep& step() const { return trace_->step(index_); }
  /// When the next step begins; kNever after the last.
  [[nodiscard]] TimeNs nextChangeNs() const { return nextChangeNs_; }

 private:
  std::shared_ptr<const RateTrace> trace_;
  bool loops_;
  TimeNs startNs_;
  std::size_t index_ = 0;
  TimeNs nextChangeNs_ = 0;
};

}  // namespace mpd::link
