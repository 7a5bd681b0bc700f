#include "mptcp_options.h"

#include <algorithm>

#include "checksum.h"

namespace mpd::link {

namespace {
constexpr std::uint8_t kEndOfOptions = 0;
constexpr std::uint8_t kNop = 1;
constexpr std::uint8_t kMptcp = 30;
constexpr std::size_t kTcpChecksumAt = 16;
}  // namespace

std::uint32_t stripMptcpOption(Bytes packet, const TcpView& tcp, MptcpSubtype subtype) {
  const Bytes options = packet.subspan(tcp.optionsAt(), tcp.optionsBytes());
  const std::uint32_t before = sumWords(options);
  std::uint32_t found = 0;
  for (std::size_t at = 0; at < options.size() && options[at] != kEndOfOptions;) {
    if (options[at] == kNop) {
      at += 1;
      continue;
    }
    // An invalid length: the receiver stops reading here too.
    if (at + 2 > options.size()) break;
    const std::size_t length = options[at + 1];
    if (length < 2 || at + length > options.size()) break;
    const bool isMptcp = options[at] == kMptcp && length >= 3;
    if (isMptcp && options[at + 2] >> 4 == static_cast<std::uint8_t>(subtype)) {
      std::ranges::fill(options.subspan(at, length), kNop);
      found += 1;
    }
    at += length;
  }
  if (found > 0) patchChecksum(packet, tcp.at + kTcpChecksumAt, before, sumWords(options));
  return found;
}

}  // namespace mpd::link
