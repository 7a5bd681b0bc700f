#include "decode.h"

#include <arpa/inet.h>
#include <linux/netlink.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>

#include "attributes.h"

namespace mpd {
namespace {

template <typename T>
T load(const uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

[[noreturn]] void malformed(const std::string& what) {
  throw Failure("NETLINK", "malformed inet_diag bytes: " + what);
}

void decodeHead(Bytes payload, Socket& out) {
  const auto head = load<wire::DiagMessage>(payload.data());
  if (head.family != AF_INET && head.family != AF_INET6) {
    malformed("socket of address family " + std::to_string(head.family));
  }
  out.family = head.family;
  out.state = head.state;
  out.local = makeEndpoint(head.family, head.id.src, head.id.sport);
  out.remote = makeEndpoint(head.family, head.id.dst, head.id.dport);
  out.interfaceIndex = head.id.interface;
  out.inode = head.inode;
  out.uid = head.uid;
  out.cookie = uint64_t{head.id.cookie[1]} << 32 | head.id.cookie[0];
}

template <typename T>
void readNumber(const Attribute& attribute, T& out) {
  if (attribute.value.size() < sizeof(T)) {
    malformed("attribute " + std::to_string(attribute.type) + " is too short");
  }
  out = load<T>(attribute.value.data());
}

void decodeSubflowAttributes(Bytes bytes, Subflow& out) {
  forEachAttribute(bytes, [&](const Attribute& attribute) {
    switch (attribute.type) {
      case wire::kSubflowTokenLocal:
        readNumber(attribute, out.token);
        // 0: the socket asked for MPTCP, and the kernel made a plain TCP connection without trying it.
        out.hasToken = out.token != 0;
        break;
      case wire::kSubflowFlags:
        readNumber(attribute, out.flags);
        out.hasFlags = true;
        break;
      case wire::kSubflowIdRemote:
        readNumber(attribute, out.remoteId);
        out.hasRemoteId = true;
        break;
      case wire::kSubflowIdLocal:
        readNumber(attribute, out.localId);
        out.hasLocalId = true;
        break;
      default:
        break;
    }
  });
}

void decodeUlp(Bytes bytes, Subflow& out) {
  out.hasUlp = true;
  forEachAttribute(bytes, [&](const Attribute& attribute) {
    if (attribute.type == wire::kUlpMptcp) decodeSubflowAttributes(attribute.value, out);
  });
}

Bytes attributesOf(Bytes payload) {
  if (payload.size() < sizeof(wire::DiagMessage)) {
    malformed("a socket of " + std::to_string(payload.size()) + " bytes");
  }
  return payload.subspan(sizeof(wire::DiagMessage));
}

}  // namespace

bool DiagReader::next(DiagItem& item) {
  if (offset_ >= bytes_.size()) return false;
  const size_t left = bytes_.size() - offset_;
  if (left < sizeof(nlmsghdr)) malformed("a truncated header at byte " + std::to_string(offset_));
  const auto header = load<nlmsghdr>(bytes_.data() + offset_);
  if (header.nlmsg_len < sizeof(nlmsghdr) || header.nlmsg_len > left) {
    malformed("length " + std::to_string(header.nlmsg_len) + " at byte " + std::to_string(offset_));
  }
  const Bytes payload = bytes_.subspan(offset_ + sizeof(nlmsghdr), header.nlmsg_len - sizeof(nlmsghdr));
  item = {DiagItem::Kind::kOther, header.nlmsg_seq, header.nlmsg_flags, 0, payload};
  switch (header.nlmsg_type) {
    case NLMSG_ERROR:
    case NLMSG_DONE: {
      item.kind = header.nlmsg_type == NLMSG_ERROR ? DiagItem::Kind::kError : DiagItem::Kind::kDone;
      if (payload.size() >= sizeof(int32_t)) {
        const auto error = load<int32_t>(payload.data());
        if (error > 0 || error < -4095) malformed("errno " + std::to_string(error));
        item.error = -error;
      } else if (item.kind == DiagItem::Kind::kError) {
        malformed("an error message without errno");
      }
      break;
    }
    case wire::kTcpDiagGetSock:
    case wire::kSockDiagByFamily:
      item.kind = DiagItem::Kind::kSocket;
      break;
    default:
      break;
  }
  offset_ += std::min(left, size_t{NLMSG_ALIGN(header.nlmsg_len)});
  return true;
}

void decodeTcpSocket(Bytes payload, Subflow& out) {
  const Bytes attributes = attributesOf(payload);
  out = Subflow{};
  decodeHead(payload, out);
  forEachAttribute(attributes, [&](const Attribute& attribute) {
    switch (attribute.type) {
      case wire::kAttrInfo:
        out.tcp = decodeTcpInfo(attribute.value);
        break;
      case wire::kAttrCong: {
        const size_t length = std::min(attribute.value.size(), out.congestionControl.size() - 1);
        std::copy_n(attribute.value.begin(), length, out.congestionControl.begin());
        break;
      }
      case wire::kAttrUlpInfo:
        decodeUlp(attribute.value, out);
        break;
      default:
        break;
    }
  });
}

void decodeMptcpSocket(Bytes payload, Connection& out) {
  const Bytes attributes = attributesOf(payload);
  out = Connection{};
  decodeHead(payload, out);
  forEachAttribute(attributes, [&](const Attribute& attribute) {
    if (attribute.type == wire::kAttrInfo) out.info = decodeMptcpInfo(attribute.value);
  });
}

void decodeCapture(Bytes bytes, Protocol protocol, Snapshot& out) {
  DiagReader reader(bytes);
  DiagItem item;
  while (reader.next(item)) {
    if (item.error != 0) {
      throw Failure("NETLINK", std::string("the capture holds a kernel error: ") + strerror(item.error),
                    item.error);
    }
    if (item.kind != DiagItem::Kind::kSocket) continue;
    if (protocol == Protocol::kTcp) {
      decodeTcpSocket(item.payload, out.subflows.emplace_back());
    } else {
      Connection connection;
      decodeMptcpSocket(item.payload, connection);
      if (connection.hasToken()) out.connections.push_back(connection);
    }
  }
}

TcpInfo decodeTcpInfo(Bytes bytes) {
  TcpInfo info;
  info.length = static_cast<uint32_t>(bytes.size());
  std::memcpy(&info.data, bytes.data(), std::min(bytes.size(), sizeof info.data));
  return info;
}

MptcpInfo decodeMptcpInfo(Bytes bytes) {
  MptcpInfo info;
  info.length = static_cast<uint32_t>(bytes.size());
  std::memcpy(&info.data, bytes.data(), std::min(bytes.size(), sizeof info.data));
  return info;
}

Endpoint makeEndpoint(uint8_t family, const uint8_t* address, uint16_t networkPort) {
  static constexpr std::array<uint8_t, 12> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  Endpoint endpoint;
  endpoint.port = ntohs(networkPort);
  if (family == AF_INET) {
    std::copy_n(address, 4, endpoint.address.begin());
  } else if (std::equal(kMapped.begin(), kMapped.end(), address)) {
    std::copy_n(address + kMapped.size(), 4, endpoint.address.begin());
  } else {
    std::copy_n(address, 16, endpoint.address.begin());
    endpoint.v6 = true;
  }
  return endpoint;
}

Endpoint decodeSockaddr(const sockaddr_storage& storage) {
  if (storage.ss_family == AF_INET) {
    const auto v4 = load<sockaddr_in>(reinterpret_cast<const uint8_t*>(&storage));
    return makeEndpoint(AF_INET, reinterpret_cast<const uint8_t*>(&v4.sin_addr), v4.sin_port);
  }
  if (storage.ss_family == AF_INET6) {
    const auto v6 = load<sockaddr_in6>(reinterpret_cast<const uint8_t*>(&storage));
    return makeEndpoint(AF_INET6, v6.sin6_addr.s6_addr, v6.sin6_port);
  }
  throw Failure("NETLINK", "a socket address of family " + std::to_string(storage.ss_family));
}

}  // namespace mpd
