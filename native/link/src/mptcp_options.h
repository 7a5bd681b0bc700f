#pragma once

#include <optional>

#include "packet_view.h"

namespace mpd::link {

/// MPTCP option subtypes that a middlebox may strip (RFC 8684 section 8).
enum class MptcpSubtype : std::uint8_t { kMpCapable = 0, kMpJoin = 1, kAddAddr = 3 };

/// Overwrites the options of a subtype with NOPs and updates the TCP checksum. For any option bytes, nothing
/// else is changed.
/// @param packet with a complete checksum
/// @return their number
std::uint32_t stripMptcpOption(Bytes packet, const TcpView& tcp, MptcpSubtype subtype);

/// Data of a subflow in the connection's sequence. Numbers have 64 or 32 bits, as in the packet.
struct DataMapping {
  std::uint64_t dataSeq = 0;
  /// Counts from 1 at the subflow's first byte of data.
  std::uint32_t subflowSeq = 0;
  std::uint16_t length = 0;
};

/// The Data Sequence Signal of a packet (RFC 8684 section 3.3).
struct DataSequenceSignal {
  std::optional<std::uint64_t> dataAck;
  std::optional<DataMapping> mapping;
};

/// @return nothing without a complete signal
std::optional<DataSequenceSignal> readDataSequenceSignal(ConstBytes packet, const TcpView& tcp);

}  // namespace mpd::link
