#pragma once

#include "packet.h"
#include "packet_view.h"
#include "wire.h"

/// The Internet checksum, RFC 1071. Sums are ones' complement, folded to 16 bits, not inverted.
namespace mpd::link {

/// Adds 16-bit words; an odd last byte counts as a high one.
std::uint32_t sumWords(ConstBytes bytes, std::uint32_t initial = 0);

/// Sum of addresses, protocol and length (RFC 9293 section 3.1, RFC 8200 section 8.1).
std::uint32_t pseudoHeaderSum(ConstBytes packet, const PacketView& view, std::uint32_t transportBytes);

/// Recomputes the header checksum of an IPv4 packet.
void setIpv4Checksum(Bytes packet, std::size_t headerBytes);

/// Updates the checksum at `at` after words with the sum `before` were replaced by words with the sum `after`
/// (RFC 1624 equation 3). A wrong checksum stays wrong.
void patchChecksum(Bytes packet, std::size_t at, std::uint32_t before, std::uint32_t after);

/// Completes a checksum the kernel left to the device: its field holds the sum of the pseudo-header.
void completeChecksum(Packet& packet);

}  // namespace mpd::link
