#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "command_error.h"
#include "link_direction.h"
#include "middlebox.h"
#include "queue_config.h"

namespace mpd::link {

/// An address of an interface.
struct InterfaceAddress {
  int family = 0;
  std::string text;
  std::uint8_t prefixLength = 0;
};

/// One end of a link: a TUN device to be made in a network namespace.
struct EndConfig {
  /// Path of a namespace file, or empty for the emulator's own.
  std::string netns;
  std::string device;
  std::optional<InterfaceAddress> address;
};

/// A trace to follow; without a name, the current trace ends.
struct TraceChoice {
  std::string name;
  bool loops = true;
};

/// The settings that can change while the link runs, for one direction; index 0 is a -> b, 1 is b -> a.
struct DirectionChange {
  std::optional<std::uint64_t> rateBps;
  std::optional<TimeNs> delayNs;
  std::optional<LossConfig> loss;
  std::optional<JitterConfig> jitter;
  std::optional<OutageSchedule> outages;
  std::optional<TraceChoice> trace;
};

struct DirectionConfig {
  DirectionSettings settings;
  QueueConfig queue;
};

struct LinkConfig {
  std::string name;
  EndConfig ends[2];
  DirectionConfig directions[2];
  std::uint32_t mtu = 1500;
  std::uint64_t seed = 1;
};

struct SetLink {
  std::string name;
  std::optional<LinkState> state;
  DirectionChange changes[2];
  MiddleboxChange middlebox;
};
struct AddLink {
  LinkConfig config;
  /// Applied once the link exists: traces, outages, the middlebox.
  SetLink start;
};
/// Further steps of a trace; the first command has the first steps.
struct AppendTrace {
  std::string name;
  std::vector<TraceStep> steps;
};
struct ShowStats {};
struct SetStatsInterval {
  std::uint64_t intervalMs = 0;
};
/// Records the MPTCP sequence numbers of all links.
struct RecordSequence {
  /// Empty: stops.
  std::string file;
};

using Command = std::variant<AddLink, SetLink, AppendTrace, ShowStats, SetStatsInterval, RecordSequence>;

/// Parses one line of the protocol in README.md.
/// @throws CommandError with the field
Command parseCommand(std::string_view line);

}  // namespace mpd::link
