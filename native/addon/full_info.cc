#include "full_info.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "collector.h"
#include "sockets.h"

#ifndef SO_COOKIE
#define SO_COOKIE 57
#endif

namespace mpd {
namespace {

/** The kernel allows 8 extra subflows; fullmesh with both sides' limits stays below this. */
constexpr size_t kMaxSubflows = 64;

[[noreturn]] void optionFailed(const char* option, int error) {
  if (error == EOPNOTSUPP || error == ENOPROTOOPT || error == ENOTSOCK || error == EBADF) {
    throw Failure("NOT_MPTCP", std::string("the descriptor is not an MPTCP socket (") + strerror(error) + ")",
                  error);
  }
  throw Failure("NETLINK", std::string("getsockopt ") + option + ": " + strerror(error), error);
}

/** getsockopt returns no connection state: it follows from the operations that are still possible. */
uint8_t stateOf(int fd) {
  int listening = 0;
  socklen_t length = sizeof listening;
  if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listening, &length) == 0 && listening) return wire::kListen;
  sockaddr_storage peer{};
  length = sizeof peer;
  if (getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &length) != 0) return wire::kClose;
  pollfd event{fd, POLLRDHUP, 0};
  if (poll(&event, 1, 0) < 0) return wire::kEstablished;
  if (event.revents & (POLLHUP | POLLERR)) return wire::kClose;
  return event.revents & POLLRDHUP ? wire::kCloseWait : wire::kEstablished;
}

Connection describe(int fd) {
  Connection connection;
  std::array<uint8_t, 512> info{};  // Larger than the kernel's structure, to learn the kernel's size.
  socklen_t length = sizeof info;
  if (getsockopt(fd, wire::kSolMptcp, wire::kOptInfo, &info, &length) != 0) optionFailed("MPTCP_INFO", errno);
  connection.info = decodeMptcpInfo(Bytes(info).first(length));
  connection.local = nameOf(fd, getsockname);
  connection.remote = nameOf(fd, getpeername);
  connection.state = stateOf(fd);
  length = sizeof connection.cookie;
  getsockopt(fd, SOL_SOCKET, SO_COOKIE, &connection.cookie, &length);
  struct stat status {};
  if (fstat(fd, &status) == 0) {
    connection.inode = static_cast<uint32_t>(status.st_ino);
    connection.uid = status.st_uid;
  }
  return connection;
}

template <typename T>
Bytes bytesOf(const std::vector<T>& items) {
  return {reinterpret_cast<const uint8_t*>(items.data()), items.size() * sizeof(T)};
}

/** Reads MPTCP_FULL_INFO, which Linux has since 6.5. False if the kernel lacks it. */
bool addByFullInfo(int fd, Snapshot& out) {
  std::vector<wire::SubflowInfo> subflows(kMaxSubflows);
  std::vector<wire::TcpInfo> tcpInfos(kMaxSubflows);
  wire::FullInfo full{};
  full.sizeTcpInfoUser = sizeof(wire::TcpInfo);
  full.sizeSubflowInfoUser = sizeof(wire::SubflowInfo);
  full.sizeArraysUser = kMaxSubflows;
  full.subflowInfo = reinterpret_cast<uintptr_t>(subflows.data());
  full.tcpInfo = reinterpret_cast<uintptr_t>(tcpInfos.data());
  socklen_t length = sizeof full;
  if (getsockopt(fd, wire::kSolMptcp, wire::kOptFullInfo, &full, &length) != 0) {
    if (errno == EOPNOTSUPP || errno == ENOPROTOOPT) return false;
    optionFailed("MPTCP_FULL_INFO", errno);
  }
  addSubflows({.addresses = bytesOf(subflows),
               .addressStride = sizeof(wire::SubflowInfo),
               .withIds = true,
               .tcpInfos = bytesOf(tcpInfos),
               .tcpInfoStride = sizeof(wire::TcpInfo),
               .tcpInfoLength = full.sizeTcpInfoKernel,
               .count = std::min<size_t>(full.numSubflows, kMaxSubflows)},
              out.connections.front(), out);
  return true;
}

/** Reads the same by two options, which Linux has since 5.16. Each begins with a SubflowData header. */
void addByTwoOptions(int fd, Snapshot& out) {
  struct Answer {
    wire::SubflowData head;
    uint8_t data[kMaxSubflows * sizeof(wire::SubflowAddrs)];
  };
  const auto ask = [&](int option, const char* name, size_t elementSize, Answer& answer) {
    answer = {};
    answer.head.sizeSubflowData = sizeof answer.head;
    answer.head.sizeUser = static_cast<uint32_t>(elementSize);
    socklen_t length = sizeof answer.head + static_cast<socklen_t>(kMaxSubflows * elementSize);
    if (getsockopt(fd, wire::kSolMptcp, option, &answer, &length) != 0) optionFailed(name, errno);
  };
  const auto addresses = std::make_unique<Answer>();
  const auto tcpInfos = std::make_unique<Answer>();
  ask(wire::kOptSubflowAddrs, "MPTCP_SUBFLOW_ADDRS", sizeof(wire::SubflowAddrs), *addresses);
  ask(wire::kOptTcpInfo, "MPTCP_TCPINFO", sizeof(wire::TcpInfo), *tcpInfos);
  // A subflow may appear or vanish between the two calls. Then one snapshot pairs the last ones wrongly.
  const size_t count =
      std::min<size_t>({addresses->head.numSubflows, tcpInfos->head.numSubflows, kMaxSubflows});
  addSubflows({.addresses = Bytes(addresses->data),
               .addressStride = sizeof(wire::SubflowAddrs),
               .withIds = false,
               .tcpInfos = Bytes(tcpInfos->data),
               .tcpInfoStride = sizeof(wire::TcpInfo),
               .tcpInfoLength = tcpInfos->head.sizeKernel,
               .count = count},
              out.connections.front(), out);
}

}  // namespace

void addSubflows(const SubflowArrays& arrays, const Connection& owner, Snapshot& out) {
  const size_t idSize = arrays.withIds ? offsetof(wire::SubflowInfo, addrs) : 0;
  if (arrays.addressStride < idSize + sizeof(wire::SubflowAddrs) ||
      arrays.addresses.size() / arrays.addressStride < arrays.count || arrays.tcpInfoStride == 0 ||
      arrays.tcpInfos.size() / arrays.tcpInfoStride < arrays.count) {
    throw Failure("NETLINK", "the subflow arrays do not hold " + std::to_string(arrays.count) + " subflows");
  }
  for (size_t i = 0; i < arrays.count; ++i) {
    const Bytes element = arrays.addresses.subspan(i * arrays.addressStride, arrays.addressStride);
    const Bytes tcp = arrays.tcpInfos.subspan(i * arrays.tcpInfoStride, arrays.tcpInfoStride);
    wire::SubflowAddrs addresses;
    std::memcpy(&addresses, element.data() + idSize, sizeof addresses);
    Subflow subflow;
    subflow.local = decodeSockaddr(addresses.local);
    subflow.remote = decodeSockaddr(addresses.remote);
    subflow.tcp = decodeTcpInfo(tcp.first(std::min(tcp.size(), arrays.tcpInfoLength)));
    subflow.tcp.length = static_cast<uint32_t>(arrays.tcpInfoLength);
    subflow.state = subflow.tcp.data.state;
    subflow.inode = owner.inode;
    subflow.uid = owner.uid;
    subflow.cookie = owner.cookie;
    subflow.hasCookieSuffix = true;
    if (arrays.withIds) {
      std::memcpy(&subflow.cookieSuffix, element.data(), sizeof subflow.cookieSuffix);
    } else {
      subflow.cookieSuffix = uint32_t{subflow.local.port} << 16 | subflow.remote.port;
    }
    subflow.token = owner.token();
    subflow.hasToken = owner.hasToken();
    out.subflows.push_back(subflow);
  }
}

Snapshot fullInfo(int fd) {
  Snapshot out;
  const double cpuBefore = threadCpuUs();
  out.monotonicUs = monotonicUs();
  out.connections.push_back(describe(fd));
  if (!addByFullInfo(fd, out)) addByTwoOptions(fd, out);
  out.cpuUs = threadCpuUs() - cpuBefore;
  return out;
}

}  // namespace mpd
