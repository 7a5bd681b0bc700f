#pragma once

#include <string_view>

#include "command.hpp"

namespace mpd::link {

/// `key=value`, as written.
struct Pair {
  std::string_view key;
  std::string_view value;
};

/// `rate.ab` is `rate` for the direction from a to b; without `.ab` or `.ba` it is for both.
struct DirectedKey {
  std::string_view key;
  bool forDirection[2];
};

DirectedKey splitDirection(std::string_view key);

/// Reads a field that can change while the link runs: rate, delay_us, loss, jitter, outages, trace.
/// @return false when it is none of them  @throws CommandError naming the field
bool applyChange(DirectionChange (&changes)[2], const Pair& pair);

/// Reads a field of the middlebox, which is one for both directions: strip_mp_capable, nat and the rest.
/// @return false when it is none of them  @throws CommandError naming the field
bool applyMiddlebox(MiddleboxChange& change, const Pair& pair);

/// Reads a field of the queue: queue, queue_bytes, queue_packets, target_us and the rest.
/// @return false when it is none of them  @throws CommandError naming the field
bool applyQueue(DirectionConfig (&directions)[2], const Pair& pair);

}  // namespace mpd::link
