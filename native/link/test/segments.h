#pragma once

#include <vector>

#include "packet.h"
#include "packet_view.h"

/// TCP segments for middlebox tests.
struct Segment {
  bool isIpv6 = false;
  /// The last byte of an address: 10.0.0.X or fd00::X.
  std::uint8_t source = 1;
  std::uint8_t destination = 2;
  std::uint16_t sourcePort = 40'000;
  std::uint16_t destinationPort = 80;
  std::uint8_t flags = mpd::link::kAck;
  std::uint32_t sequence = 1'000;
  std::uint32_t acknowledged = 5'000;
  std::vector<std::uint8_t> options{};
  std::uint32_t payloadBytes = 0;
  std::uint8_t ecn = 0;
};

/// A complete packet with valid checksums; options are padded with NOPs.
mpd::link::Packet makeTcp(const Segment& segment);
/// A UDP packet with a checksum.
mpd::link::Packet makeUdp(const Segment& segment);
/// An ICMP or ICMPv6 packet of a type, with its content after the checksum.
mpd::link::Packet makeIcmp(const Segment& segment, std::uint8_t type, const std::vector<std::uint8_t>& rest);

/// True if every checksum in the packet is valid.
bool hasGoodChecksums(const mpd::link::Packet& packet);
mpd::link::Packet copyOf(const mpd::link::Packet& packet);
std::uint8_t sourceOf(const mpd::link::Packet& packet);
std::uint8_t destinationOf(const mpd::link::Packet& packet);
mpd::link::TcpView tcpOf(const mpd::link::Packet& packet);
