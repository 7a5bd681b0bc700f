#pragma once

#include "command.h"
#include "duration_stats.h"
#include "json_line.h"
#include "link_direction.h"
#include "middlebox.h"
#include "sequence_recorder.h"
#include "tun_device.h"

namespace mpd::link {

/// The recipient of a report. Each has intervals of its own.
enum class Audience { kAsked, kPeriodic };

/// Two TUN devices and the two directions between them.
class Link {
 public:
  /// @throws CommandError if a device cannot be created
  explicit Link(const LinkConfig& config);
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  /// Reads a bounded batch of the kernel's packets for the end (0 = a, 1 = b).
  /// @return false once the device is deleted
  /// @param recorder receives the packets that enter; may be null
  bool readFrom(int end, std::span<std::uint8_t> buffer, SequenceRecorder* recorder);
  /// @param recorder receives the packets that leave; may be null
  void advance(TimeNs nowNs, SequenceRecorder* recorder);
  [[nodiscard]] TimeNs nextEventNs() const;

  /// @param traces those `changes` name, by direction
  /// @throws CommandError if the kernel refuses the carrier change
  void apply(const SetLink& set, const std::shared_ptr<const RateTrace> (&traces)[2], TimeNs nowNs);
  /// Appends one object and starts a new interval of queueing delay and lateness for the recipient.
  void report(JsonLine& json, Audience audience);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int fd(int end) const { return tuns_[end].fd(); }

 private:
  /// Lateness since the last report: delivery time minus ideal time. It shows if the machine was too busy for
  /// trustworthy figures.
  struct Interval {
    DurationStats late;
    DurationStats waited;
  };

  void applyDirection(int index, const DirectionChange& change, const std::shared_ptr<const RateTrace>& trace,
                      TimeNs nowNs);
  void flush(int index);
  void reportMiddlebox(JsonLine& json) const;
  void reportDirection(JsonLine& json, int index, Audience audience);

  std::string name_;
  TunDevice tuns_[2];
  LinkDirection directions_[2];
  /// Intervals by direction, then by recipient.
  Interval intervals_[2][2];
  Middlebox middlebox_;
  /// Mergers by direction; empty outside of `advance`.
  PacketMerger mergers_[2];
  std::uint64_t writeErrors_[2] = {0, 0};
  LinkState state_ = LinkState::kUp;
};

/// CLOCK_MONOTONIC now.
TimeNs monotonicNowNs();

}  // namespace mpd::link
