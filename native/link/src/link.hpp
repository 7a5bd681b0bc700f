#pragma once

#include "command.hpp"
#include "json_line.hpp"
#include "link_direction.hpp"
#include "tun_device.hpp"

namespace mpd::link {

/// How late packets were handed over against their ideal instant, since the last report. Says
/// whether the machine was too busy for the figures of a run to be trusted.
struct Lateness {
  std::uint64_t packets = 0;
  std::uint64_t sumNs = 0;
  std::uint64_t maxNs = 0;

  void add(TimeNs lateNs);
};

/// Two TUN devices and the two directions between them.
class Link {
 public:
  /// @throws CommandError when a device cannot be made
  explicit Link(const LinkConfig& config);

  /// Reads what the kernel has for the end (0 = a, 1 = b), a bounded batch at a time.
  /// @return false once the device is gone
  bool readFrom(int end, std::span<std::uint8_t> buffer);
  void advance(TimeNs nowNs);
  [[nodiscard]] TimeNs nextEventNs() const;

  /// @throws CommandError when the kernel refuses the carrier change
  void apply(const SetLink& set, TimeNs nowNs);
  /// Appends one object and starts a new interval of lateness.
  void report(JsonLine& json);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int fd(int end) const { return tuns_[end].fd(); }

 private:
  void reportDirection(JsonLine& json, int index);

  std::string name_;
  TunDevice tuns_[2];
  LinkDirection directions_[2];
  Lateness lateness_[2];
  std::uint64_t writeErrors_[2] = {0, 0};
  LinkState state_ = LinkState::kUp;
};

/// CLOCK_MONOTONIC now.
TimeNs monotonicNowNs();

}  // namespace mpd::link
