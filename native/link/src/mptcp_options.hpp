#pragma once

#include "packet_view.hpp"

namespace mpd::link {

/// MPTCP option subtypes a middlebox may take out (RFC 8684 section 8).
enum class MptcpSubtype : std::uint8_t { kMpCapable = 0, kMpJoin = 1, kAddAddr = 3 };

/// Overwrites the options of a subtype with NOPs and mends the TCP checksum. Whatever the option bytes are,
/// nothing outside of them and of the checksum is touched.
/// @param packet with a complete checksum
/// @return how many there were
std::uint32_t stripMptcpOption(Bytes packet, const TcpView& tcp, MptcpSubtype subtype);

}  // namespace mpd::link
