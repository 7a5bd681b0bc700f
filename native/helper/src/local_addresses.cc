#include "local_addresses.h"

#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace mpd::helper {
namespace {

constexpr timeval kAnswerTimeout{2, 0};
/** A route's answer is a few hundred bytes. */
constexpr size_t kAnswerBytes = 4096;

struct RouteRequest {
  nlmsghdr header{};
  rtmsg route{};
  rtattr destination{};
  std::array<uint8_t, 16> address{};
};

Failure failed(int error) {
  return Failure("NETLINK", std::string("routing table: ") + strerror(error), error);
}

}  // namespace

LocalAddresses::LocalAddresses() : socket_(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE)) {
  sockaddr_nl kernel{};
  kernel.nl_family = AF_NETLINK;
  if (!socket_.valid() || connect(socket_.fd(), reinterpret_cast<sockaddr*>(&kernel), sizeof kernel) != 0) {
    throw failed(errno);
  }
  setsockopt(socket_.fd(), SOL_SOCKET, SO_RCVTIMEO, &kAnswerTimeout, sizeof kAnswerTimeout);
}

bool LocalAddresses::has(const Endpoint& address) {
  const uint8_t bytes = address.v6 ? 16 : 4;
  RouteRequest request;
  request.header.nlmsg_len = static_cast<uint32_t>(offsetof(RouteRequest, address)) + bytes;
  request.header.nlmsg_type = RTM_GETROUTE;
  request.header.nlmsg_flags = NLM_F_REQUEST;
  request.header.nlmsg_seq = ++sequence_;
  request.route.rtm_family = address.v6 ? AF_INET6 : AF_INET;
  request.route.rtm_dst_len = static_cast<uint8_t>(bytes * 8);
  request.destination.rta_len = static_cast<uint16_t>(sizeof(rtattr) + bytes);
  request.destination.rta_type = RTA_DST;
  std::copy_n(address.address.begin(), bytes, request.address.begin());
  if (send(socket_.fd(), &request, request.header.nlmsg_len, 0) < 0) throw failed(errno);

  std::array<uint8_t, kAnswerBytes> answer;
  for (;;) {
    const ssize_t length = recv(socket_.fd(), answer.data(), answer.size(), 0);
    if (length < 0) throw failed(errno);
    nlmsghdr header{};
    rtmsg route{};
    if (static_cast<size_t>(length) < NLMSG_HDRLEN + sizeof route) throw failed(EPROTO);
    std::memcpy(&header, answer.data(), sizeof header);
    // The late answer to a request that timed out is about another address.
    if (header.nlmsg_seq != sequence_) continue;
    // No route at all: not an address of this machine.
    if (header.nlmsg_type == NLMSG_ERROR) return false;
    std::memcpy(&route, answer.data() + NLMSG_HDRLEN, sizeof route);
    return header.nlmsg_type == RTM_NEWROUTE && route.rtm_type == RTN_LOCAL;
  }
}

}  // namespace mpd::helper
