// Builds inet_diag requests. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "decode.h"
#include "filter.h"

namespace mpd {

/** Every state but LISTEN, TIME_WAIT and NEW_SYN_RECV, which carry no tcp_info. */
inline constexpr uint32_t kLiveStates =
    0x1fff & ~(1u << 0) & ~(1u << wire::kListen) & ~(1u << wire::kTimeWait) & ~(1u << wire::kNewSynRecv);

/** Appends netlink requests to one buffer, so that one send carries many. */
class RequestBatch {
 public:
  void clear() {
    bytes_.clear();
    count_ = 0;
  }
  Bytes bytes() const { return bytes_; }
  size_t count() const { return count_; }

  /** One dump of all TCP sockets of both families. */
  void addTcpDump(uint32_t sequence, Bytes bytecode);
  /**
   * One dump of the MPTCP connections of a family; AF_UNSPEC (both) only if the kernel is known to support
   * it.
   */
  void addMptcpDump(uint32_t sequence, uint8_t family, Bytes bytecode);
  /**
   * Exactly this socket, without the name of its congestion control. The answer is an error after the
   * socket's end.
   */
  void addTcpExact(uint32_t sequence, const Subflow& subflow);
  void addMptcpExact(uint32_t sequence, uint32_t token);

 private:
  size_t begin(uint16_t type, uint16_t flags, uint32_t sequence);
  void finish(size_t start);
  template <typename T>
  void put(const T& value);
  void putProtocol();
  void putAttribute(uint16_t type, Bytes value);

  std::vector<uint8_t> bytes_;
  size_t count_ = 0;
};

}  // namespace mpd
