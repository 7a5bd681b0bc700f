// MPTCP sockets of this process, and descriptors of other processes.
#pragma once

#include <chrono>
#include <optional>

#include "address.h"
#include "file.h"
#include "model.h"

namespace mpd {

/** A new MPTCP socket; throws Failure MPTCP_UNAVAILABLE. */
File openMptcp(int family);

/** Connects a new non-blocking MPTCP socket; waits. Throws Failure MPTCP_UNAVAILABLE or CONNECT_FAILED. */
File connectMptcp(const SocketName& remote, const std::optional<SocketName>& local,
                  std::chrono::milliseconds timeout);

/** A close-on-exec duplicate of descriptor `fd` of process `pid`. Throws Failure FD_DENIED. */
File duplicateFrom(pid_t pid, int fd);

/** One end of a socket, as `getName` (getsockname or getpeername) returns it. Empty where there is none. */
Endpoint nameOf(int fd, int (*getName)(int, sockaddr*, socklen_t*));

}  // namespace mpd
