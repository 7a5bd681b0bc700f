#include "capabilities.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <optional>

#include "collector.h"
#include "full_info.h"
#include "sockets.h"

namespace mpd {
namespace {

constexpr std::chrono::milliseconds kTimeout{1000};

/** A loopback connection of this process to itself, used as a probe. */
struct Pair {
  File listener;
  File client;
};

Pair connectToSelf() {
  Pair pair;
  pair.listener = openMptcp(AF_INET);
  SocketName name = *parseSocketName("127.0.0.1", 0);
  auto* address = reinterpret_cast<sockaddr*>(&name.storage);
  if (bind(pair.listener.fd(), address, name.length) != 0 || listen(pair.listener.fd(), 1) != 0 ||
      getsockname(pair.listener.fd(), address, &name.length) != 0) {
    throw Failure("CONNECT_FAILED", "cannot listen on 127.0.0.1", errno);
  }
  pair.client = connectMptcp(name, std::nullopt, kTimeout);
  return pair;
}

void probeDiag(const Filter& filter, Capabilities& found) {
  try {
    const Snapshot snapshot = takeSnapshot("", filter);
    found.mptcpDiag = true;
    found.ulpInfo = !snapshot.subflows.empty();
    if (!found.ulpInfo) found.ulpInfoReason = "the probing connection is missing from inet_diag";
  } catch (const Failure& failure) {
    found.mptcpDiag = std::string(failure.code()) == "ULP_INFO_DENIED";
    found.ulpInfoReason = failure.what();
  }
}

void probeFullInfo(int fd, Capabilities& found) {
  try {
    const Snapshot snapshot = fullInfo(fd);
    found.fullInfo = !snapshot.subflows.empty();
    found.mptcpInfoLength = snapshot.connections.front().info.length;
    if (found.fullInfo) found.tcpInfoLength = snapshot.subflows.front().tcp.length;
  } catch (const Failure&) {
    // Stays false on an old kernel.
  }
}

}  // namespace

Capabilities probeCapabilities() {
  Capabilities found;
  try {
    openMptcp(AF_INET);
    found.mptcp = true;
    const Pair pair = connectToSelf();
    Filter filter;
    const Snapshot self = fullInfo(pair.client.fd());
    filter.remotes.push_back(self.connections.front().remote);
    probeDiag(filter, found);
    probeFullInfo(pair.client.fd(), found);
  } catch (const Failure& failure) {
    probeDiag({}, found);
    found.ulpInfoReason = std::string("cannot be probed: ") + failure.what();
  }
  return found;
}

}  // namespace mpd
