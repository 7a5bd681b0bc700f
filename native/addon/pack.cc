#include "pack.h"

#include <limits>

#include "address.h"

namespace mpd {
namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

/** A field of a kernel structure; absent if the kernel's structure is shorter. */
template <typename Info, typename Field>
double field(const Info& info, const Field& value) {
  const auto offset = static_cast<size_t>(reinterpret_cast<const uint8_t*>(&value) -
                                          reinterpret_cast<const uint8_t*>(&info.data));
  return offset + sizeof(Field) <= info.length ? static_cast<double>(value) : kAbsent;
}

/** The same for fields in which all ones mean "none yet". */
template <typename Info, typename Field>
double fieldUnlessMax(const Info& info, const Field& value) {
  return value == std::numeric_limits<Field>::max() ? kAbsent : field(info, value);
}

}  // namespace

Packer::Packer(std::span<const Snapshot> snapshots) {
  put(static_cast<double>(snapshots.size()));
  for (const Snapshot& snapshot : snapshots) {
    put(static_cast<double>(snapshot.monotonicUs));
    put(snapshot.cpuUs);
    put(static_cast<double>(snapshot.connections.size()));
    for (const Connection& connection : snapshot.connections) putConnection(connection);
    put(static_cast<double>(snapshot.subflows.size()));
    for (const Subflow& subflow : snapshot.subflows) putSubflow(subflow);
  }
}

void Packer::putText(std::string text) {
  put(static_cast<double>(texts_.size()));
  texts_.push_back(std::move(text));
}

void Packer::putSharedText(const std::string& text) {
  const auto [place, fresh] = shared_.try_emplace(text, static_cast<double>(texts_.size()));
  if (fresh) texts_.push_back(text);
  put(place->second);
}

void Packer::putEndpoint(const Endpoint& endpoint) {
  std::array<uint8_t, 17> key{};
  std::copy(endpoint.address.begin(), endpoint.address.end(), key.begin());
  key.back() = endpoint.v6;
  const auto [place, fresh] = addresses_.try_emplace(key, static_cast<double>(texts_.size()));
  if (fresh) texts_.push_back(addressText(endpoint));
  put(place->second);
  put(endpoint.port);
}

void Packer::putSocket(const Socket& socket) {
  putEndpoint(socket.local);
  putEndpoint(socket.remote);
  put(socket.state);
  put(socket.inode);
  put(socket.uid);
  std::string cookie = std::to_string(socket.cookie);
  if (socket.hasCookieSuffix) cookie += "." + std::to_string(socket.cookieSuffix);
  putText(std::move(cookie));
}

void Packer::putConnection(const Connection& connection) {
  const MptcpInfo& info = connection.info;
  const wire::MptcpInfo& mptcp = info.data;
  put(connection.token());
  putSocket(connection);
  put(info.length);
  put(field(info, mptcp.subflows));
  put(field(info, mptcp.subflowsTotal));
  put(field(info, mptcp.flags));
  put(field(info, mptcp.bytesReceived));
  put(field(info, mptcp.bytesSent));
  put(field(info, mptcp.bytesRetrans));
  put(field(info, mptcp.bytesAcked));
  if (info.length >= offsetof(wire::MptcpInfo, rcvNxt) + sizeof mptcp.rcvNxt) {
    putText(std::to_string(mptcp.rcvNxt));
  } else {
    put(kAbsent);
  }
  put(field(info, mptcp.lastDataRecv));
  put(field(info, mptcp.addAddrSignal));
  put(field(info, mptcp.addAddrAccepted));
  put(field(info, mptcp.localAddrUsed));
}

void Packer::putSubflow(const Subflow& subflow) {
  putSocket(subflow);
  put(subflow.interfaceIndex);
  put(subflow.hasToken ? subflow.token : kAbsent);
  put(subflow.hasLocalId ? subflow.localId : kAbsent);
  put(subflow.hasRemoteId ? subflow.remoteId : kAbsent);
  put(subflow.hasFlags ? subflow.flags : kAbsent);
  if (subflow.congestionControl[0] != 0) {
    putSharedText(subflow.congestionControl.data());
  } else {
    put(kAbsent);
  }
  putTcpInfo(subflow.tcp);
}

void Packer::putTcpInfo(const TcpInfo& info) {
  if (info.length == 0) return put(kAbsent);
  const wire::TcpInfo& tcp = info.data;
  put(info.length);
  put(tcp.state);
  put(tcp.caState);
  put(field(info, tcp.rtt));
  put(field(info, tcp.rttVar));
  put(fieldUnlessMax(info, tcp.minRtt));
  put(field(info, tcp.rcvRtt));
  put(field(info, tcp.rcvSpace));
  put(field(info, tcp.rcvMss));
  put(field(info, tcp.sndMss));
  put(field(info, tcp.sndCwnd));
  put(field(info, tcp.sndSsthresh));
  put(field(info, tcp.lastDataRecv));
  put(field(info, tcp.lastDataSent));
  put(field(info, tcp.bytesReceived));
  put(field(info, tcp.bytesAcked));
  put(field(info, tcp.bytesSent));
  put(field(info, tcp.bytesRetrans));
  put(field(info, tcp.totalRetrans));
  put(field(info, tcp.lost));
  put(field(info, tcp.segsIn));
  put(field(info, tcp.segsOut));
  put(field(info, tcp.dataSegsIn));
  put(field(info, tcp.rcvOoopack));
  put(field(info, tcp.rcvWnd));
  put(field(info, tcp.sndWnd));
  put(field(info, tcp.deliveryRate));
  put(fieldUnlessMax(info, tcp.pacingRate));
}

}  // namespace mpd
