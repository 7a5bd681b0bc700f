#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "packet.h"

namespace mpd::link {

/// Writes a line for every packet that carries MPTCP data or acknowledges some, and for every SYN:
///
///     US LINK DIRECTION in|out SOURCE_PORT DESTINATION_PORT SEQ PAYLOAD ACK MAPPING
///
/// US is CLOCK_MONOTONIC, DIRECTION is `ab` or `ba`. `in` is a packet that enters the link, as its sender
/// sent it; `out` leaves the link. ACK is the connection-level acknowledgement or `-`. MAPPING is
/// `DSN:SUBFLOW_SEQ:LENGTH`, `syn` or `-`.
class SequenceRecorder {
 public:
  /// Replaces the file. @throws CommandError if that is not possible
  explicit SequenceRecorder(const std::string& file);

  void entered(std::string_view link, int direction, const Packet& packet, TimeNs nowNs);
  void left(std::string_view link, int direction, const Packet& packet, TimeNs nowNs);
  /// Closes the file; nothing may be recorded afterwards. @throws CommandError if lines are missing in it
  void finish();

 private:
  void record(std::string_view link, int direction, const char* place, const Packet& packet, TimeNs nowNs);

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string name_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace mpd::link
