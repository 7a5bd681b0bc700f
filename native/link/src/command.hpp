#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

#include "link_direction.hpp"

namespace mpd::link {

/// A command line that cannot be accepted; `field()` names the place.
class CommandError : public std::runtime_error {
 public:
  CommandError(std::string field, const std::string& message)
      : std::runtime_error(message), field_(std::move(field)) {}
  [[nodiscard]] const std::string& field() const { return field_; }

 private:
  std::string field_;
};

/// An address as the interface gets it.
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

/// One direction; index 0 is a -> b, 1 is b -> a.
struct DirectionConfig {
  std::uint64_t rateBps = 0;
  TimeNs delayNs = 0;
  double loss = 0;
  std::uint64_t queueBytes = 60'000;
};

struct LinkConfig {
  std::string name;
  EndConfig ends[2];
  DirectionConfig directions[2];
  std::uint32_t mtu = 1500;
  std::uint64_t seed = 1;
};

struct DirectionChange {
  std::optional<std::uint64_t> rateBps;
  std::optional<TimeNs> delayNs;
  std::optional<double> loss;
};

struct AddLink {
  LinkConfig config;
};
struct SetLink {
  std::string name;
  std::optional<LinkState> state;
  DirectionChange changes[2];
};
struct ShowStats {};
struct SetStatsInterval {
  std::uint64_t intervalMs = 0;
};

using Command = std::variant<AddLink, SetLink, ShowStats, SetStatsInterval>;

/// Parses one line of the protocol in README.md.
/// @throws CommandError naming the field
Command parseCommand(std::string_view line);

}  // namespace mpd::link
