#include "bound_socket.h"

#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "collector.h"
#include "decode.h"
#include "sockets.h"

#ifndef SO_COOKIE
#define SO_COOKIE 57
#endif

namespace mpd {
namespace {

/** More than any kernel has, to learn the size of this kernel's structure. */
constexpr size_t kTcpInfoRoom = 512;

File openTcp(int family) {
  // Not socket(): under mptcpize a preloaded library turns that into an MPTCP socket, which is not bound to
  // one interface.
  const long fd = syscall(SYS_socket, family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP);
  File file(static_cast<int>(fd));
  if (!file.valid()) throw Failure("BIND_DENIED", std::string("socket: ") + strerror(errno), errno);
  return file;
}

void bindToDevice(int fd, const std::string& name) {
  if (name.size() >= IFNAMSIZ) throw Failure("NO_INTERFACE", "there is no interface " + name, ENODEV);
  const auto length = static_cast<socklen_t>(name.size() + 1);
  if (setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, name.c_str(), length) == 0) return;
  const int error = errno;
  if (error == ENODEV) throw Failure("NO_INTERFACE", "there is no interface " + name, error);
  const char* hint = error == EPERM ? ": before Linux 5.7 that takes CAP_NET_RAW" : "";
  throw Failure("BIND_DENIED", "cannot bind a socket to " + name + " (" + strerror(error) + ")" + hint,
                error);
}

void bindToAddress(int fd, const SocketName& local) {
  // The port is chosen at connect, so that one port may serve connections to different servers.
  const int on = 1;
  setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
  if (bind(fd, reinterpret_cast<const sockaddr*>(&local.storage), local.length) == 0) return;
  throw Failure("BIND_DENIED", std::string("cannot bind to the local address: ") + strerror(errno), errno);
}

}  // namespace

File openBoundSocket(const BoundSocketOptions& options) {
  File file = options.mptcp ? openMptcp(options.family) : openTcp(options.family);
  if (!options.interfaceName.empty()) bindToDevice(file.fd(), options.interfaceName);
  if (options.local) bindToAddress(file.fd(), *options.local);
  return file;
}

void limitReceiveWindow(int fd, int bytes) {
  if (setsockopt(fd, IPPROTO_TCP, TCP_WINDOW_CLAMP, &bytes, sizeof bytes) == 0) return;
  throw Failure("NOT_TCP", std::string("cannot limit the receive window: ") + strerror(errno), errno);
}

void setReceiveLowWater(int fd, int bytes) {
  if (setsockopt(fd, SOL_SOCKET, SO_RCVLOWAT, &bytes, sizeof bytes) == 0) return;
  throw Failure("NOT_A_SOCKET", std::string("cannot set the low-water mark: ") + strerror(errno), errno);
}

Snapshot socketInfo(int fd) {
  std::array<uint8_t, kTcpInfoRoom> info{};
  socklen_t length = sizeof info;
  const double cpuBefore = threadCpuUs();
  if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) {
    throw Failure("NOT_TCP", std::string("the descriptor is not a TCP socket (") + strerror(errno) + ")",
                  errno);
  }
  Snapshot out;
  out.monotonicUs = monotonicUs();
  Subflow subflow;
  subflow.tcp = decodeTcpInfo(Bytes(info).first(length));
  subflow.state = subflow.tcp.data.state;
  subflow.local = nameOf(fd, getsockname);
  subflow.remote = nameOf(fd, getpeername);
  length = sizeof subflow.cookie;
  getsockopt(fd, SOL_SOCKET, SO_COOKIE, &subflow.cookie, &length);
  struct stat status {};
  if (fstat(fd, &status) == 0) {
    subflow.inode = static_cast<uint32_t>(status.st_ino);
    subflow.uid = status.st_uid;
  }
  out.subflows.push_back(subflow);
  out.cpuUs = threadCpuUs() - cpuBefore;
  return out;
}

}  // namespace mpd
