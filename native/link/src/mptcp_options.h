#pragma once

#include "packet_view.h"

namespace mpd::link {

/// MPTCP option subtypes that a middlebox may strip (RFC 8684 section 8).
enum class MptcpSubtype : std::uint8_t { kMpCapable = 0, kMpJoin = 1, kAddAddr = 3 };

/// Overwrites the options of a subtype with NOPs and updates the TCP checksum. For any option bytes, nothing
/// else is changed.
/// @param packet with a complete checksum
/// @return their number
std::uint32_t stripMptcpOption(Bytes packet, const TcpView& tcp, MptcpSubtype subtype);

}  // namespace mpd::link
