// What getsockopt(SOL_MPTCP) tells about one's own MPTCP socket: needs its descriptor, no privilege.
#pragma once

#include "decode.h"
#include "model.h"

namespace mpd {

/** Throws Failure NOT_MPTCP, or NETLINK for other kernel errors. */
Snapshot fullInfo(int fd);

/**
 * Adds the subflows that parallel arrays describe, element sizes as the kernel gave them. `ids` is the byte
 * offset of the addresses in an element of `addresses`: 8 behind a subflow id, 0 without one.
 * Throws Failure NETLINK when the arrays are too short for `count`.
 */
struct SubflowArrays {
  Bytes addresses;
  size_t addressStride = 0;
  bool withIds = false;
  Bytes tcpInfos;
  size_t tcpInfoStride = 0;
  /** Bytes of tcp_info the kernel filled in each element. */
  size_t tcpInfoLength = 0;
  size_t count = 0;
};
void addSubflows(const SubflowArrays& arrays, const Connection& owner, Snapshot& out);

}  // namespace mpd
