// TCP and MPTCP sockets of one interface, and their state in the kernel.
#pragma once

#include <optional>
#include <string>

#include "address.h"
#include "file.h"
#include "model.h"

namespace mpd {

struct BoundSocketOptions {
  /** AF_INET or AF_INET6. */
  int family;
  /** Empty: any interface. */
  std::string interfaceName;
  /** Local address of the same family; its port is not bound. */
  std::optional<SocketName> local;
  bool mptcp = false;
};

/**
 * A non-blocking socket, not yet connected, whose packets leave by one interface only. Since Linux 5.7 that
 * needs no privilege (SO_BINDTODEVICE, socket(7)). Throws Failure MPTCP_UNAVAILABLE, BIND_DENIED or
 * NO_INTERFACE.
 */
File openBoundSocket(const BoundSocketOptions& options);

/** Limits the bytes that the other end may have in flight (TCP_WINDOW_CLAMP, tcp(7)). Throws Failure NOT_TCP.
 */
void limitReceiveWindow(int fd, int bytes);

/**
 * Sets the number of unread bytes from which a poll reports the socket as readable (SO_RCVLOWAT, socket(7)).
 * The end of the stream always counts as readable. Throws Failure NOT_A_SOCKET.
 */
void setReceiveLowWater(int fd, int bytes);

/** A snapshot with this TCP socket as its only subflow. Throws Failure NOT_TCP. */
Snapshot socketInfo(int fd);

}  // namespace mpd
