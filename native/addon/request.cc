#include "request.h"

#include <arpa/inet.h>
#include <linux/netlink.h>

#include <cstring>

namespace mpd {
namespace {

constexpr uint8_t extension(uint16_t attribute) {
  return static_cast<uint8_t>(1u << (attribute - 1));
}

/** The address in the form of a socket of `family` (an AF_INET6 socket may hold a v4-mapped one). */
void putAddress(const Endpoint& endpoint, uint8_t family, uint8_t (&out)[16]) {
  if (family == AF_INET || endpoint.v6) {
    std::memcpy(out, endpoint.address.data(), sizeof out);
  } else {
    out[10] = out[11] = 0xff;
    std::memcpy(out + 12, endpoint.address.data(), 4);
  }
}

}  // namespace

template <typename T>
void RequestBatch::put(const T& value) {
  const auto* from = reinterpret_cast<const uint8_t*>(&value);
  bytes_.insert(bytes_.end(), from, from + sizeof value);
}

size_t RequestBatch::begin(uint16_t type, uint16_t flags, uint32_t sequence) {
  const size_t start = bytes_.size();
  put(nlmsghdr{0, type, static_cast<uint16_t>(NLM_F_REQUEST | flags), sequence, 0});
  return start;
}

void RequestBatch::finish(size_t start) {
  const auto length = static_cast<uint32_t>(bytes_.size() - start);
  std::memcpy(bytes_.data() + start, &length, sizeof length);
  ++count_;
}

void RequestBatch::putAttribute(uint16_t type, Bytes value) {
  put(nlattr{static_cast<uint16_t>(sizeof(nlattr) + value.size()), type});
  bytes_.insert(bytes_.end(), value.begin(), value.end());
  bytes_.resize(NLMSG_ALIGN(bytes_.size()));
}

void RequestBatch::putProtocol() {
  const uint32_t protocol = wire::kIpprotoMptcp;  // Too large for the 8-bit field of the request.
  putAttribute(wire::kReqProtocol, {reinterpret_cast<const uint8_t*>(&protocol), sizeof protocol});
}

void RequestBatch::addTcpDump(uint32_t sequence, Bytes bytecode) {
  const size_t start = begin(wire::kTcpDiagGetSock, NLM_F_DUMP, sequence);
  wire::OldDiagRequest request{};
  request.ext = extension(wire::kAttrInfo) | extension(wire::kAttrCong);
  request.states = kLiveStates;
  put(request);
  if (!bytecode.empty()) putAttribute(wire::kReqBytecode, bytecode);
  finish(start);
}

void RequestBatch::addMptcpDump(uint32_t sequence, uint8_t family, Bytes bytecode) {
  const bool bothFamilies = family == AF_UNSPEC;
  const size_t start =
      begin(bothFamilies ? wire::kTcpDiagGetSock : wire::kSockDiagByFamily, NLM_F_DUMP, sequence);
  if (bothFamilies) {
    // A kernel older than the protocol attribute would take this for a dump of TCP.
    wire::OldDiagRequest request{};
    request.ext = extension(wire::kAttrInfo);
    request.states = kLiveStates;
    put(request);
  } else {
    // Protocol 0 has no handler, so an old kernel answers "no such protocol" instead.
    wire::DiagRequest request{};
    request.family = family;
    request.ext = extension(wire::kAttrInfo);
    request.states = kLiveStates;
    put(request);
  }
  putProtocol();
  if (!bytecode.empty()) putAttribute(wire::kReqBytecode, bytecode);
  finish(start);
}

void RequestBatch::addTcpExact(uint32_t sequence, const Subflow& subflow) {
  const size_t start = begin(wire::kSockDiagByFamily, 0, sequence);
  wire::DiagRequest request{};
  request.family = subflow.family;
  request.protocol = IPPROTO_TCP;
  request.ext = extension(wire::kAttrInfo);
  request.states = kLiveStates;
  request.id.sport = htons(subflow.local.port);
  request.id.dport = htons(subflow.remote.port);
  putAddress(subflow.local, subflow.family, request.id.src);
  putAddress(subflow.remote, subflow.family, request.id.dst);
  request.id.interface = subflow.interfaceIndex;
  request.id.cookie[0] = static_cast<uint32_t>(subflow.cookie);
  request.id.cookie[1] = static_cast<uint32_t>(subflow.cookie >> 32);
  put(request);
  finish(start);
}

void RequestBatch::addMptcpExact(uint32_t sequence, uint32_t token) {
  const size_t start = begin(wire::kSockDiagByFamily, 0, sequence);
  wire::DiagRequest request{};
  request.family = AF_INET;  // Any family with a handler: the token alone identifies the connection.
  request.ext = extension(wire::kAttrInfo);
  request.states = kLiveStates;
  request.id.cookie[0] = token;
  put(request);
  putProtocol();
  finish(start);
}

}  // namespace mpd
