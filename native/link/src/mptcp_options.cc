#include "mptcp_options.h"

#include <algorithm>

#include "checksum.h"

namespace mpd::link {

namespace {
constexpr std::uint8_t kEndOfOptions = 0;
constexpr std::uint8_t kNop = 1;
constexpr std::uint8_t kMptcp = 30;
constexpr std::size_t kTcpChecksumAt = 16;

/// Calls `visit` with each MPTCP option until it returns false. A broken length ends the options for the
/// receiver too.
template <typename Span, typename Visit>
void eachMptcpOption(Span options, const Visit& visit) {
  for (std::size_t at = 0; at < options.size() && options[at] != kEndOfOptions;) {
    if (options[at] == kNop) {
      at += 1;
      continue;
    }
    if (at + 2 > options.size()) return;
    const std::size_t length = options[at + 1];
    if (length < 2 || at + length > options.size()) return;
    if (options[at] == kMptcp && length >= 3 && !visit(options.subspan(at, length))) return;
    at += length;
  }
}

constexpr std::uint8_t kDssSubtype = 2;
constexpr std::uint8_t kHasAck = 1;
constexpr std::uint8_t kLongAck = 2;
constexpr std::uint8_t kHasMapping = 4;
constexpr std::uint8_t kLongMapping = 8;

std::uint64_t load64(ConstBytes bytes, std::size_t at) {
  return std::uint64_t{load32(bytes, at)} << 32 | load32(bytes, at + 4);
}

std::optional<DataSequenceSignal> parseSignal(ConstBytes option) {
  if (option.size() < 4) return std::nullopt;
  const std::uint8_t flags = option[3];
  const std::size_t ackBytes = (flags & kHasAck) == 0 ? 0 : (flags & kLongAck) == 0 ? 4 : 8;
  const std::size_t seqBytes = (flags & kHasMapping) == 0 ? 0 : (flags & kLongMapping) == 0 ? 4 : 8;
  const std::size_t restBytes = seqBytes == 0 ? 0 : 6;
  if (option.size() < 4 + ackBytes + seqBytes + restBytes) return std::nullopt;
  const auto load = [&](std::size_t at, std::size_t size) {
    return size == 8 ? load64(option, at) : std::uint64_t{load32(option, at)};
  };
  DataSequenceSignal signal;
  if (ackBytes > 0) signal.dataAck = load(4, ackBytes);
  const std::size_t at = 4 + ackBytes;
  if (seqBytes > 0) {
    signal.mapping =
        DataMapping{load(at, seqBytes), load32(option, at + seqBytes), load16(option, at + seqBytes + 4)};
  }
  return signal;
}
}  // namespace

std::optional<DataSequenceSignal> readDataSequenceSignal(ConstBytes packet, const TcpView& tcp) {
  std::optional<DataSequenceSignal> signal;
  eachMptcpOption(packet.subspan(tcp.optionsAt(), tcp.optionsBytes()), [&](ConstBytes option) {
    if (option[2] >> 4 == kDssSubtype) signal = parseSignal(option);
    return !signal;
  });
  return signal;
}

std::uint32_t stripMptcpOption(Bytes packet, const TcpView& tcp, MptcpSubtype subtype) {
  const Bytes options = packet.subspan(tcp.optionsAt(), tcp.optionsBytes());
  const std::uint32_t before = sumWords(options);
  std::uint32_t found = 0;
  eachMptcpOption(options, [&](Bytes option) {
    if (option[2] >> 4 == static_cast<std::uint8_t>(subtype)) {
      std::ranges::fill(option, kNop);
      found += 1;
    }
    return true;
  });
  if (found > 0) patchChecksum(packet, tcp.at + kTcpChecksumAt, before, sumWords(options));
  return found;
}

}  // namespace mpd::link
