#include "convert.h"

#include <linux/sock_diag.h>

#include <charconv>
#include <cmath>
#include <cstring>

#include "../address.h"
#include "object_writer.h"

namespace mpd {
namespace {

/** A field of a kernel structure: written only when the kernel's structure reaches so far. */
template <typename Info, typename Field>
void field(ObjectWriter& writer, Key key, const Info& info, Field const& value) {
  const auto offset = static_cast<size_t>(reinterpret_cast<const uint8_t*>(&value) -
                                          reinterpret_cast<const uint8_t*>(&info.data));
  if (offset + sizeof(Field) <= info.length) writer.number(key, static_cast<double>(value));
}

/** The same for fields in which all ones mean "none". */
template <typename Info, typename Field>
void fieldUnlessMax(ObjectWriter& writer, Key key, const Info& info, Field const& value) {
  if (value != std::numeric_limits<Field>::max()) field(writer, key, info, value);
}

napi_value tcpInfo(const Keys& keys, const TcpInfo& info) {
  const wire::TcpInfo& tcp = info.data;
  ObjectWriter writer(keys);
  writer.number(Key::length, info.length);
  writer.number(Key::state, tcp.state);
  writer.number(Key::caState, tcp.caState);
  field(writer, Key::rttUs, info, tcp.rtt);
  field(writer, Key::rttVarUs, info, tcp.rttVar);
  fieldUnlessMax(writer, Key::minRttUs, info, tcp.minRtt);
  field(writer, Key::rcvRttUs, info, tcp.rcvRtt);
  field(writer, Key::rcvSpaceBytes, info, tcp.rcvSpace);
  field(writer, Key::rcvMssBytes, info, tcp.rcvMss);
  field(writer, Key::sndMssBytes, info, tcp.sndMss);
  field(writer, Key::sndCwndSegments, info, tcp.sndCwnd);
  field(writer, Key::sndSsthreshSegments, info, tcp.sndSsthresh);
  field(writer, Key::lastDataRecvMs, info, tcp.lastDataRecv);
  field(writer, Key::lastDataSentMs, info, tcp.lastDataSent);
  field(writer, Key::bytesReceived, info, tcp.bytesReceived);
  field(writer, Key::bytesAcked, info, tcp.bytesAcked);
  field(writer, Key::bytesSent, info, tcp.bytesSent);
  field(writer, Key::bytesRetrans, info, tcp.bytesRetrans);
  field(writer, Key::totalRetransSegments, info, tcp.totalRetrans);
  field(writer, Key::lostSegments, info, tcp.lost);
  field(writer, Key::segsIn, info, tcp.segsIn);
  field(writer, Key::segsOut, info, tcp.segsOut);
  field(writer, Key::dataSegsIn, info, tcp.dataSegsIn);
  field(writer, Key::rcvOutOfOrderSegments, info, tcp.rcvOoopack);
  field(writer, Key::rcvWindowBytes, info, tcp.rcvWnd);
  field(writer, Key::sndWindowBytes, info, tcp.sndWnd);
  field(writer, Key::deliveryRateBytesPerSecond, info, tcp.deliveryRate);
  fieldUnlessMax(writer, Key::pacingRateBytesPerSecond, info, tcp.pacingRate);
  return writer.object();
}

napi_value endpointObject(const Keys& keys, const Endpoint& endpoint) {
  ObjectWriter writer(keys);
  writer.text(Key::address, addressText(endpoint));
  writer.number(Key::port, endpoint.port);
  return writer.object();
}

std::string cookieText(const Socket& socket) {
  std::string text = std::to_string(socket.cookie);
  if (socket.cookieSuffix != 0) text += "." + std::to_string(socket.cookieSuffix);
  return text;
}

void socketFields(ObjectWriter& writer, const Keys& keys, const Socket& socket) {
  writer.set(Key::local, endpointObject(keys, socket.local));
  writer.set(Key::remote, endpointObject(keys, socket.remote));
  writer.number(Key::state, socket.state);
  writer.number(Key::inode, socket.inode);
  writer.number(Key::uid, socket.uid);
  writer.text(Key::cookie, cookieText(socket));
}

napi_value subflowObject(const Keys& keys, const Subflow& subflow) {
  ObjectWriter writer(keys);
  socketFields(writer, keys, subflow);
  writer.number(Key::interfaceIndex, subflow.interfaceIndex);
  if (subflow.hasToken) writer.number(Key::token, subflow.token);
  if (subflow.hasLocalId) writer.number(Key::localId, subflow.localId);
  if (subflow.hasRemoteId) writer.number(Key::remoteId, subflow.remoteId);
  if (subflow.hasFlags) {
    writer.number(Key::mptcpFlags, subflow.flags);
    writer.boolean(Key::backupRemote, subflow.flags & wire::kFlagBackupRemote);
    writer.boolean(Key::backupLocal, subflow.flags & wire::kFlagBackupLocal);
    writer.boolean(Key::fullyEstablished, subflow.flags & wire::kFlagFullyEstablished);
  }
  if (subflow.congestionControl[0] != 0)
    writer.text(Key::congestionControl, subflow.congestionControl.data());
  if (subflow.tcp.length > 0) writer.set(Key::tcp, tcpInfo(keys, subflow.tcp));
  return writer.object();
}

napi_value connectionObject(const Keys& keys, const Connection& connection) {
  const MptcpInfo& info = connection.info;
  const wire::MptcpInfo& mptcp = info.data;
  ObjectWriter writer(keys);
  writer.number(Key::token, connection.token());
  socketFields(writer, keys, connection);
  writer.number(Key::infoLength, info.length);
  field(writer, Key::extraSubflows, info, mptcp.subflows);
  field(writer, Key::subflowsTotal, info, mptcp.subflowsTotal);
  field(writer, Key::flags, info, mptcp.flags);
  writer.boolean(Key::fallback, mptcp.flags & wire::kInfoFallback);
  writer.boolean(Key::remoteKeyReceived, mptcp.flags & wire::kInfoRemoteKey);
  field(writer, Key::bytesReceived, info, mptcp.bytesReceived);
  field(writer, Key::bytesSent, info, mptcp.bytesSent);
  field(writer, Key::bytesRetrans, info, mptcp.bytesRetrans);
  field(writer, Key::bytesAcked, info, mptcp.bytesAcked);
  if (info.length >= offsetof(wire::MptcpInfo, rcvNxt) + sizeof mptcp.rcvNxt) {
    writer.text(Key::rcvNxt, std::to_string(mptcp.rcvNxt));
  }
  field(writer, Key::lastDataRecvMs, info, mptcp.lastDataRecv);
  field(writer, Key::addAddrSignal, info, mptcp.addAddrSignal);
  field(writer, Key::addAddrAccepted, info, mptcp.addAddrAccepted);
  field(writer, Key::localAddrUsed, info, mptcp.localAddrUsed);
  return writer.object();
}

template <typename Item, typename Convert>
napi_value array(const Keys& keys, const std::vector<Item>& items, Convert&& convert) {
  napi_value out;
  keys.check(napi_create_array_with_length(keys.env(), items.size(), &out));
  for (size_t i = 0; i < items.size(); ++i) {
    const Napi::HandleScope scope(keys.env());
    keys.check(napi_set_element(keys.env(), out, static_cast<uint32_t>(i), convert(keys, items[i])));
  }
  return out;
}

napi_value snapshotObject(const Keys& keys, const Snapshot& snapshot) {
  ObjectWriter writer(keys);
  writer.number(Key::monotonicUs, static_cast<double>(snapshot.monotonicUs));
  writer.number(Key::cpuUs, snapshot.cpuUs);
  writer.set(Key::connections, array(keys, snapshot.connections, connectionObject));
  writer.set(Key::subflows, array(keys, snapshot.subflows, subflowObject));
  return writer.object();
}

}  // namespace

Napi::Error toJsError(Napi::Env env, const Failure& failure) {
  Napi::Error error = Napi::Error::New(env, failure.what());
  error.Set("code", failure.code());
  if (failure.error() != 0) error.Set("errno", static_cast<double>(failure.error()));
  return error;
}

Napi::Object toJs(Napi::Env env, const Snapshot& snapshot) {
  const Keys keys(env);
  return Napi::Object(env, snapshotObject(keys, snapshot));
}

Napi::Array toJs(Napi::Env env, std::span<const Snapshot> snapshots) {
  const Keys keys(env);
  Napi::Array out = Napi::Array::New(env, snapshots.size());
  for (size_t i = 0; i < snapshots.size(); ++i) {
    const Napi::HandleScope scope(env);
    out.Set(static_cast<uint32_t>(i), Napi::Value(env, snapshotObject(keys, snapshots[i])));
  }
  return out;
}

Napi::Object toJs(Napi::Env env, const SamplerCounts& counts) {
  Napi::Object out = Napi::Object::New(env);
  out.Set("taken", static_cast<double>(counts.taken));
  out.Set("read", static_cast<double>(counts.read));
  out.Set("lost", static_cast<double>(counts.lost));
  out.Set("failed", static_cast<double>(counts.failed));
  out.Set("meanCpuUs", counts.taken == 0 ? 0 : counts.totalCpuUs / static_cast<double>(counts.taken));
  if (counts.lastError) {
    Napi::Object error = Napi::Object::New(env);
    error.Set("code", counts.lastError->code());
    error.Set("errno", static_cast<double>(counts.lastError->error()));
    error.Set("message", counts.lastError->what());
    out.Set("lastError", error);
  }
  return out;
}

Napi::Object toJs(Napi::Env env, const Capabilities& capabilities) {
  Napi::Object out = Napi::Object::New(env);
  out.Set("mptcp", capabilities.mptcp);
  out.Set("mptcpDiag", capabilities.mptcpDiag);
  out.Set("ulpInfo", capabilities.ulpInfo);
  if (!capabilities.ulpInfo) out.Set("ulpInfoReason", capabilities.ulpInfoReason);
  out.Set("fullInfo", capabilities.fullInfo);
  out.Set("tcpInfoLength", capabilities.tcpInfoLength);
  out.Set("mptcpInfoLength", capabilities.mptcpInfoLength);
  return out;
}

}  // namespace mpd
