#include "filter.h"

#include <algorithm>
#include <cstring>

namespace mpd {
namespace {

constexpr size_t kOpSize = 4;

struct BytecodeOp {
  uint8_t code;
  uint8_t yes;
  uint16_t no;
};
static_assert(sizeof(BytecodeOp) == kOpSize);

struct HostCondition {
  uint8_t family;
  uint8_t prefixLength;
  int32_t port;
};
static_assert(sizeof(HostCondition) == 8);

template <typename T>
void append(std::vector<uint8_t>& out, const T& value) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
  out.insert(out.end(), bytes, bytes + sizeof value);
}

size_t addressSize(const Endpoint& endpoint) {
  return endpoint.v6 ? 16 : 4;
}

size_t conditionSize(const Endpoint& endpoint) {
  return kOpSize + sizeof(HostCondition) + addressSize(endpoint);
}

}  // namespace

bool Filter::passes(const Socket& socket) const {
  const bool remoteOk =
      remotes.empty() || std::any_of(remotes.begin(), remotes.end(), [&](const Endpoint& wanted) {
        return wanted.sameAddress(socket.remote) && (wanted.port == 0 || wanted.port == socket.remote.port);
      });
  const bool uidOk = uids.empty() || std::find(uids.begin(), uids.end(), socket.uid) != uids.end();
  return remoteOk && uidOk;
}

std::vector<uint8_t> remoteBytecode(const std::vector<Endpoint>& remotes) {
  size_t left = 0;
  for (const Endpoint& remote : remotes) left += conditionSize(remote) + kOpSize;
  if (left > 0) left -= kOpSize;  // The last condition needs no jump to the end.

  std::vector<uint8_t> code;
  code.reserve(left);
  for (size_t i = 0; i < remotes.size(); ++i) {
    const Endpoint& remote = remotes[i];
    const size_t size = conditionSize(remote);
    // A mismatch jumps to the next condition. After the last condition it jumps past the end, which rejects.
    append(code, BytecodeOp{wire::kBytecodeRemote, static_cast<uint8_t>(size),
                            static_cast<uint16_t>(size + kOpSize)});
    append(code, HostCondition{static_cast<uint8_t>(remote.v6 ? AF_INET6 : AF_INET),
                               static_cast<uint8_t>(addressSize(remote) * 8),
                               remote.port == 0 ? -1 : int32_t{remote.port}});
    code.insert(code.end(), remote.address.begin(),
                remote.address.begin() + static_cast<ptrdiff_t>(addressSize(remote)));
    left -= size;
    if (i + 1 == remotes.size()) break;
    append(code, BytecodeOp{wire::kBytecodeJump, kOpSize, static_cast<uint16_t>(left)});
    left -= kOpSize;
  }
  return code;
}

SubflowSorter::SubflowSorter(const Filter& filter, const std::vector<Connection>& connections)
    : filter_(filter), connections_(connections) {
  tokens_.reserve(connections.size());
  for (const Connection& connection : connections) tokens_.insert(connection.token());
}

bool SubflowSorter::keeps(const Subflow& subflow) {
  if (subflow.hasToken) {
    sawToken_ = true;
    return tokens_.contains(subflow.token);
  }
  // The kernel replaces a socket that waits for the peer's FIN by one without ULP, while the connection is
  // still listed.
  const bool isBare = !subflow.hasUlp && subflow.state == wire::kEstablished;
  if (isBare && !sawToken_ && !sawBareSubflow_) sawBareSubflow_ = isFirstSubflow(subflow);
  return filter_.includePlainTcp && filter_.passes(subflow);
}

bool SubflowSorter::isFirstSubflow(const Subflow& subflow) const {
  return std::any_of(connections_.begin(), connections_.end(), [&](const Connection& connection) {
    return connection.local == subflow.local && connection.remote == subflow.remote;
  });
}

void SubflowSorter::finish() const {
  if (sawToken_ || !sawBareSubflow_) return;
  throw Failure("ULP_INFO_DENIED",
                "this kernel reports the connection of a subflow only with CAP_NET_ADMIN "
                "(without it since Linux 6.15): run with that capability, or read fullInfo() of your own "
                "sockets (connectMptcp) or of a child's (dupFd)");
}

}  // namespace mpd
