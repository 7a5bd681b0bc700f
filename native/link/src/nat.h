#pragma once

#include <array>
#include <string_view>
#include <unordered_map>

#include "packet.h"
#include "packet_view.h"

namespace mpd::link {

struct NatAddress {
  bool isIpv6 = false;
  std::array<std::uint8_t, 16> bytes{};

  /// @return nothing for an invalid address
  static std::optional<NatAddress> parse(std::string_view text);
  [[nodiscard]] ConstBytes used() const { return {bytes.data(), isIpv6 ? 16u : 4u}; }
  bool operator==(const NatAddress&) const = default;
};

/// Source NAT with ports (RFC 3022) for TCP, UDP and ICMP echo, and for the ICMP errors about them.
///
/// A mapping depends only on the inside address and port, and accepts every sender (RFC 4787 sections 4.1 and
/// 5); it keeps the port if that is free. Other protocols and later fragments leave with the new address, but
/// their replies have no mapping. Traffic of the other address family, of link-local and to multicast
/// addresses passes unchanged.
class Nat {
 public:
  explicit Nat(const NatAddress& address) : address_(address) {}

  enum class Result { kPassed, kRewritten, kDropped };
  /// @param packet with a complete checksum
  Result outbound(Bytes packet, TimeNs nowNs);
  Result inbound(Bytes packet, TimeNs nowNs);

  [[nodiscard]] std::size_t mappings() const { return mappings_.size(); }

 private:
  /// A port or an echo identifier of a protocol at its inside address.
  struct Endpoint {
    std::uint8_t protocol;
    std::uint16_t port;
    std::array<std::uint8_t, 16> address;
    bool operator==(const Endpoint&) const = default;
  };
  struct EndpointHash {
    std::size_t operator()(const Endpoint& endpoint) const;
  };
  struct Mapping {
    std::uint16_t outsidePort;
    TimeNs usedNs;
  };

  [[nodiscard]] std::optional<std::uint16_t> outsidePortOf(const Endpoint& inside, TimeNs nowNs);
  [[nodiscard]] const Endpoint* insideOf(std::uint8_t protocol, std::uint16_t port, TimeNs nowNs);
  [[nodiscard]] bool isFree(std::uint8_t protocol, std::uint16_t port, TimeNs nowNs);
  Result quoted(Bytes packet, const PacketView& view, bool isOutbound);

  NatAddress address_;
  std::unordered_map<Endpoint, Mapping, EndpointHash> mappings_;
  /// Inside endpoint by protocol and outside port.
  std::unordered_map<std::uint32_t, Endpoint> outside_;
};

}  // namespace mpd::link
