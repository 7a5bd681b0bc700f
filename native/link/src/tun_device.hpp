#pragma once

#include <span>

#include "command.hpp"
#include "file_descriptor.hpp"
#include "super_packet.hpp"

namespace mpd::link {

/// A TUN device that exists as long as this object: the kernel's end is an interface in the
/// namespace asked for, ours reads and writes IP packets without ever blocking, many TCP segments in one
/// where the kernel hands them over so.
class TunDevice {
 public:
  /// Makes the interface, gives it its address and brings it up.
  /// @param side `a` or `b`, for naming the field in errors
  /// @throws CommandError naming the field the kernel refused
  TunDevice(const EndConfig& config, std::uint32_t mtu, char side);

  /// Reads one packet, or many in one: its size, 0 when there is none, -errno on failure.
  int read(std::span<std::uint8_t> buffer, Offload& offload) const;
  /// Hands over what was merged: 0 or -errno.
  int write(PacketMerger& merged) const;
  /// Whether the interface has a carrier, as a cable plugged in or pulled out.
  int setCarrier(bool on) const;

  [[nodiscard]] int fd() const { return fd_.get(); }

 private:
  FileDescriptor fd_;
};

}  // namespace mpd::link
