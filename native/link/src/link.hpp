#pragma once

#include "command.hpp"
#include "duration_stats.hpp"
#include "json_line.hpp"
#include "link_direction.hpp"
#include "middlebox.hpp"
#include "tun_device.hpp"

namespace mpd::link {

/// Whom a report is for. Each has intervals of its own.
enum class Audience { kAsked, kPeriodic };

/// Two TUN devices and the two directions between them.
class Link {
 public:
  /// @throws CommandError when a device cannot be made
  explicit Link(const LinkConfig& config);
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  /// Reads what the kernel has for the end (0 = a, 1 = b), a bounded batch at a time.
  /// @return false once the device is gone
  bool readFrom(int end, std::span<std::uint8_t> buffer);
  void advance(TimeNs nowNs);
  [[nodiscard]] TimeNs nextEventNs() const;

  /// @param traces those `changes` name, by direction
  /// @throws CommandError when the kernel refuses the carrier change
  void apply(const SetLink& set, const std::shared_ptr<const RateTrace> (&traces)[2], TimeNs nowNs);
  /// Appends one object and starts a new interval of waiting times and lateness for the audience.
  void report(JsonLine& json, Audience audience);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int fd(int end) const { return tuns_[end].fd(); }

 private:
  /// Since the last report. Lateness, how long after its ideal instant a packet was handed over, says
  /// whether the machine was too busy for the figures of a run to be trusted.
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
  /// By direction, then by audience.
  Interval intervals_[2][2];
  Middlebox middlebox_;
  /// By direction; empty outside of `advance`.
  PacketMerger mergers_[2];
  std::uint64_t writeErrors_[2] = {0, 0};
  LinkState state_ = LinkState::kUp;
};

/// CLOCK_MONOTONIC now.
TimeNs monotonicNowNs();

}  // namespace mpd::link
