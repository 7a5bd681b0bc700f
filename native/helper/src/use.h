// The users whose MPTCP connections use an address.
#pragma once

#include <cstdint>
#include <functional>

#include "../../addon/model.h"

namespace mpd::helper {

/**
 * The users whose MPTCP connections use an address. A connection to this machine itself does not count as the
 * caller's.
 */
struct Use {
  /** The caller holds one that has an established subflow from the address. */
  bool caller = false;
  /** Another user holds one that has a subflow from the address. */
  bool others = false;
  /** The caller holds one, from any address. */
  bool callerAnywhere = false;
  /** Another user holds one, from any address. */
  bool othersAnywhere = false;
};
using UseOf = std::function<Use(const Endpoint& address)>;
using IsLocal = std::function<bool(const Endpoint& address)>;

/**
 * Determines it from the connections of a snapshot; `callerUid` is the real user. Connections that their
 * owner has closed, or that wait for `accept`, count as others' only. Kernels older than about 6.17
 * report them as root's, the caller's own included, so root's do not count. Pure, but for `isLocal`.
 */
Use useIn(const Snapshot& snapshot, uint32_t callerUid, const IsLocal& isLocal, const Endpoint& address);

/** Determines it from the kernel's present connections. */
UseOf useByConnections(uint32_t callerUid, IsLocal isLocal);

}  // namespace mpd::helper
