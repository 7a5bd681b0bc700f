#include "sockets.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "decode.h"

namespace mpd {
namespace {

using Clock = std::chrono::steady_clock;

// Older libc headers lack the names; the numbers are equal on every architecture supported by Node.
constexpr long kPidfdOpen = 434;
constexpr long kPidfdGetfd = 438;

[[noreturn]] void connectFailed(const std::string& what, int error) {
  throw Failure("CONNECT_FAILED", what + ": " + strerror(error), error);
}

int waitForConnect(int fd, Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return ETIMEDOUT;
    pollfd event{fd, POLLOUT, 0};
    const int ready = poll(&event, 1, static_cast<int>(left));
    if (ready > 0) break;
    if (ready < 0 && errno != EINTR) return errno;
  }
  int error = 0;
  socklen_t length = sizeof error;
  return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) == 0 ? error : errno;
}

}  // namespace

File openMptcp(int family) {
  File file(socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, wire::kIpprotoMptcp));
  if (file.valid()) return file;
  const int error = errno;
  throw Failure("MPTCP_UNAVAILABLE",
                std::string("the kernel refuses MPTCP sockets (") + strerror(error) +
                    "): run `sysctl -w net.mptcp.enabled=1`, or use a kernel built with CONFIG_MPTCP",
                error);
}

File connectMptcp(const SocketName& remote, const std::optional<SocketName>& local,
                  std::chrono::milliseconds timeout) {
  const auto deadline = Clock::now() + timeout;
  File file = openMptcp(remote.storage.ss_family);
  const auto address = [](const SocketName& name) {
    return reinterpret_cast<const sockaddr*>(&name.storage);
  };
  if (local) {
    // The port is chosen at connect, so one port may serve connections to different servers.
    const int on = 1;
    setsockopt(file.fd(), IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    if (bind(file.fd(), address(*local), local->length) != 0) {
      connectFailed("cannot bind to the local address", errno);
    }
  }
  int error = connect(file.fd(), address(remote), remote.length) == 0 ? 0 : errno;
  if (error == EINPROGRESS) error = waitForConnect(file.fd(), deadline);
  if (error != 0) connectFailed("cannot connect", error);
  return file;
}

File duplicateFrom(pid_t pid, int fd) {
  const auto denied = [&](int error) {
    const char* hint = error == EPERM    ? "; it takes the right to trace that process (a child under "
                                           "kernel.yama.ptrace_scope=1, or CAP_SYS_PTRACE)"
                       : error == ENOSYS ? "; it takes Linux 5.6 or newer"
                                         : "";
    throw Failure("FD_DENIED",
                  "cannot duplicate descriptor " + std::to_string(fd) + " of process " + std::to_string(pid) +
                      ": " + strerror(error) + hint,
                  error);
  };
  const File process(static_cast<int>(syscall(kPidfdOpen, pid, 0)));
  if (!process.valid()) denied(errno);
  File copy(static_cast<int>(syscall(kPidfdGetfd, process.fd(), fd, 0)));
  if (!copy.valid()) denied(errno);
  return copy;
}

Endpoint nameOf(int fd, int (*getName)(int, sockaddr*, socklen_t*)) {
  sockaddr_storage storage{};
  socklen_t length = sizeof storage;
  if (getName(fd, reinterpret_cast<sockaddr*>(&storage), &length) != 0) return {};
  return decodeSockaddr(storage);
}

}  // namespace mpd
