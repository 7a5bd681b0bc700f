// getsockopt(SOL_MPTCP) data of an own MPTCP socket: requires its descriptor, no privilege.
#pragma once

#include "decode.h"
#include "model.h"

namespace mpd {

/** Throws Failure NOT_MPTCP, or NETLINK for other kernel errors. */
Snapshot fullInfo(int fd);

/**
 * Appends the subflows of parallel arrays, with the kernel's element sizes. `ids` is the byte offset of the
 * addresses in an element of `addresses`: 8 after a subflow id, 0 without one. Throws Failure NETLINK if the
 * arrays are too short for `count`.
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
