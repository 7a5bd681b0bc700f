#pragma once

#include <string_view>

#include "command.h"

namespace mpd::link {

/// `key=value`, as written.
struct Pair {
  std::string_view key;
  std::string_view value;
};

/// `rate.ab` is `rate` for the direction from a to b; without `.ab` or `.ba` it applies to both.
struct DirectedKey {
  std::string_view key;
  bool forDirection[2];
};

DirectedKey splitDirection(std::string_view key);

/// Reads a field that can change while the link runs: rate, delay_us, loss, jitter, outages, trace.
/// @return false for any other field
/// @throws CommandError with the field
bool applyChange(DirectionChange (&changes)[2], const Pair& pair);

/// Reads a field of the middlebox, which serves both directions: strip_mp_capable, nat and others.
/// @return false for any other field
/// @throws CommandError with the field
bool applyMiddlebox(MiddleboxChange& change, const Pair& pair);

/// Reads a field of the queue: queue, queue_bytes, queue_packets, target_us and others.
/// @return false for any other field
/// @throws CommandError with the field
bool applyQueue(DirectionConfig (&directions)[2], const Pair& pair);

}  // namespace mpd::link
