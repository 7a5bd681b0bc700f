// The arrays of MPTCP_FULL_INFO, MPTCP_SUBFLOW_ADDRS and MPTCP_TCPINFO, and textual addresses.
#include <cstring>

#include "../addon/address.h"
#include "../addon/full_info.h"
#include "../addon/pack.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  struct Head {
    uint16_t addressBytes, addressStride, tcpStride, tcpLength;
    uint8_t withIds, count;
  } head;
  if (size < sizeof head) return 0;
  std::memcpy(&head, data, sizeof head);
  const mpd::Bytes rest(data + sizeof head, size - sizeof head);
  const size_t addressBytes = std::min<size_t>(head.addressBytes, rest.size());
  std::vector<mpd::Snapshot> snapshots(1);
  try {
    mpd::addSubflows({.addresses = rest.first(addressBytes),
                      .addressStride = head.addressStride,
                      .withIds = (head.withIds & 1) != 0,
                      .tcpInfos = rest.subspan(addressBytes),
                      .tcpInfoStride = head.tcpStride,
                      .tcpInfoLength = head.tcpLength,
                      .count = head.count},
                     mpd::Connection{}, snapshots[0]);
  } catch (const mpd::Failure&) {
    // Malformed, and reported as such.
  }
  mpd::Packer packer(snapshots);
  const std::string text(reinterpret_cast<const char*>(rest.data()), rest.size());
  if (const auto endpoint = mpd::parseAddress(text, 1)) {
    if (mpd::parseAddress(mpd::addressText(*endpoint), 1) != endpoint) __builtin_trap();
  }
  return packer.numbers().empty() ? 1 : 0;
}
