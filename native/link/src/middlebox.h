#pragma once

#include <functional>
#include <optional>

#include "connection_resetter.h"
#include "nat.h"

namespace mpd::link {

/// A change of a middlebox; absent fields stay.
struct MiddleboxChange {
  std::optional<bool> stripMpCapable{};
  std::optional<bool> stripMpJoin{};
  std::optional<bool> dropAddAddr{};
  /// Inner optional empty: the NAT ends.
  std::optional<std::optional<NatAddress>> nat{};
  std::optional<std::optional<std::uint64_t>> resetAfterBytes{};
};

/// Counters from the link's creation.
struct MiddleboxStats {
  std::uint64_t mpCapableStripped = 0;
  std::uint64_t mpJoinStripped = 0;
  std::uint64_t addAddrDropped = 0;
  std::uint64_t natRewritten = 0;
  /// Packets without a mapping, or without a free port for one.
  std::uint64_t natDrops = 0;
  /// Connections.
  std::uint64_t resets = 0;
};

/// A middlebox on a link. It is in front of the queues, with its outside towards b: it changes packets to b
/// before they wait, and packets from b too.
class Middlebox {
 public:
  /// @param direction 0 is a to b, 1 is b to a
  using Forward = std::function<void(int direction, Packet packet)>;

  /// Returns the result for a packet: the packet, RSTs instead, or nothing.
  void pass(int direction, Packet packet, TimeNs nowNs, const Forward& forward);

  void apply(const MiddleboxChange& change);

  [[nodiscard]] bool isActive() const {
    return stripMpCapable_ || stripMpJoin_ || dropAddAddr_ || nat_ || resetter_;
  }
  /// True if there is anything to report.
  [[nodiscard]] bool wasActive() const { return wasActive_; }
  [[nodiscard]] const MiddleboxStats& stats() const { return stats_; }
  [[nodiscard]] std::size_t natMappings() const { return nat_ ? nat_->mappings() : 0; }

 private:
  void strip(Bytes packet);
  /// @return false if the packet is dropped
  bool translate(int direction, Bytes packet, TimeNs nowNs);
  void send(int direction, Packet packet, TimeNs nowNs, const Forward& forward);

  bool stripMpCapable_ = false;
  bool stripMpJoin_ = false;
  bool dropAddAddr_ = false;
  bool wasActive_ = false;
  std::optional<Nat> nat_;
  std::optional<ConnectionResetter> resetter_;
  MiddleboxStats stats_;
};

}  // namespace mpd::link
