#pragma once

#include <span>

#include "command.h"
#include "file_descriptor.h"
#include "super_packet.h"

namespace mpd::link {

/// A TUN device that exists as long as this object. The kernel's end is an interface in the
/// requested namespace. Our end reads and writes IP packets without blocking. One packet may hold
/// many TCP segments, as the kernel passes them.
class TunDevice {
 public:
  /// Creates the interface, sets its address and brings it up.
  /// @param side `a` or `b`, for the field in errors
  /// @throws CommandError with the field the kernel refused
  TunDevice(const EndConfig& config, std::uint32_t mtu, char side);

  /// Reads one packet or super-packet: its size, 0 if there is none, -errno on failure.
  int read(std::span<std::uint8_t> buffer, Offload& offload) const;
  /// Writes the merged packets: 0 or -errno.
  int write(PacketMerger& merged) const;
  /// Sets the carrier, like plugging or unplugging a cable.
  int setCarrier(bool on) const;

  [[nodiscard]] int fd() const { return fd_.get(); }

 private:
  FileDescriptor fd_;
};

}  // namespace mpd::link
