#pragma once

#include <span>

#include "command.hpp"
#include "file_descriptor.hpp"

namespace mpd::link {

/// A TUN device that exists as long as this object: the kernel's end is an interface in the
/// namespace asked for, ours reads and writes whole IP packets without ever blocking.
class TunDevice {
 public:
  /// Makes the interface, gives it its address and brings it up.
  /// @param side `a` or `b`, for naming the field in errors
  /// @throws CommandError naming the field the kernel refused
  TunDevice(const EndConfig& config, std::uint32_t mtu, char side);

  /// Reads one packet: its size, 0 when there is none, -errno on failure.
  int read(std::span<std::uint8_t> buffer) const;
  /// Hands one packet to the kernel: 0 or -errno.
  int write(std::span<const std::uint8_t> packet) const;
  /// Whether the interface has a carrier, as a cable plugged in or pulled out.
  int setCarrier(bool on) const;

  [[nodiscard]] int fd() const { return fd_.get(); }

 private:
  FileDescriptor fd_;
};

}  // namespace mpd::link
