#pragma once

#include <array>
#include <functional>
#include <unordered_map>

#include "packet.h"
#include "packet_view.h"

namespace mpd::link {

/// Resets TCP connections after a number of payload bytes, counted over both directions including
/// retransmissions. Every later packet of the connection is answered with RST to both ends, until a SYN
/// begins another, so that a lost RST does not save the connection.
class ConnectionResetter {
 public:
  explicit ConnectionResetter(std::uint64_t limitBytes) : limitBytes_(limitBytes) {}

  /// The fate of a packet: forwarded, or answered. `toDestination` replaces it.
  struct Verdict {
    bool resets = false;
    bool isFirst = false;
    Packet toDestination;
    Packet toSource;
  };
  /// @param packet with a complete checksum
  Verdict inspect(const Packet& packet, TimeNs nowNs);

 private:
  /// Both ends, the lower one first, so that the two directions are one connection.
  struct Key {
    std::array<std::uint8_t, 36> bytes{};
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  struct Connection {
    std::uint64_t carriedBytes = 0;
    TimeNs usedNs = 0;
    bool isReset = false;
  };

  static Key keyOf(ConstBytes packet, const PacketView& view);
  Connection* connectionOf(const Key& key, TimeNs nowNs);

  std::uint64_t limitBytes_;
  std::unordered_map<Key, Connection, KeyHash> connections_;
};

}  // namespace mpd::link
