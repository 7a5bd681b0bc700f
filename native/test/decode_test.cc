#include "../addon/decode.h"

#include <linux/netlink.h>

#include <algorithm>
#include <cstring>

#include "../addon/address.h"
#include "../addon/full_info.h"
#include "check.h"

namespace mpd {
namespace {

using test::capture;

Snapshot decoded(const std::string& name, Protocol protocol) {
  Snapshot snapshot;
  decodeCapture(capture(name), protocol, snapshot);
  return snapshot;
}

const Subflow& withRemote(const Snapshot& snapshot, const std::string& address, uint32_t token) {
  for (const Subflow& subflow : snapshot.subflows) {
    if (addressText(subflow.remote) == address && subflow.token == token) return subflow;
  }
  throw std::runtime_error("no subflow to " + address);
}

TEST(decodes_subflows_of_both_families_with_their_connection) {
  const Snapshot snapshot = decoded("client-tcp.bin", Protocol::kTcp);
  CHECK(snapshot.subflows.size() == 6);
  const Subflow& first = withRemote(snapshot, "10.9.1.2", 1409368579);
  CHECK(first.local.port == 59594 && first.remote.port == 7000);
  CHECK(first.cookie == 16257 && first.state == wire::kEstablished);
  CHECK(first.localId == 0 && first.hasLocalId && first.hasRemoteId);
  CHECK(first.flags == 451);
  CHECK(first.tcp.length == 280);
  CHECK(first.tcp.data.bytesReceived == 87232);
  CHECK(std::string(first.congestionControl.data()) == "bbr");
  const Subflow& backup = withRemote(snapshot, "10.9.2.2", 1409368579);
  CHECK(backup.flags & wire::kFlagBackupLocal);
  CHECK(backup.localId == 1 && backup.remoteId == 1);
  const Subflow& six = withRemote(snapshot, "fd09:2::2", 947491367);
  CHECK(six.local.v6 && addressText(six.local) == "fd09:2::1");
  CHECK(six.tcp.data.bytesReceived == 14000);
}

TEST(takes_a_subflow_without_connection_for_plain_tcp) {
  std::vector<uint8_t> bytes = capture("client-tcp.bin");
  const std::vector<uint8_t> token{8, 0, 2, 0, 3, 66, 1, 84};  // Attribute: length, type, 1409368579.
  for (auto at = bytes.begin();;) {
    at = std::search(at, bytes.end(), token.begin(), token.end());
    if (at == bytes.end()) break;
    std::fill_n(at + 4, 4, uint8_t{0});
  }
  Snapshot snapshot;
  decodeCapture(bytes, Protocol::kTcp, snapshot);
  CHECK(snapshot.subflows.size() == 6);
  const Subflow& plain = withRemote(snapshot, "10.9.1.2", 0);
  CHECK(!plain.hasToken && plain.hasUlp);
  CHECK(withRemote(snapshot, "fd09:2::2", 947491367).hasToken);
}

TEST(decodes_connections) {
  const Snapshot snapshot = decoded("client-mptcp.bin", Protocol::kMptcp);
  CHECK(snapshot.connections.size() == 2);
  const Connection& four = snapshot.connections.front();
  CHECK(four.token() == 1409368579 && addressText(four.remote) == "10.9.1.2");
  CHECK(four.info.length == 96);
  CHECK(four.info.data.subflows == 2 && four.info.data.subflowsTotal == 3);
  // In order at connection level: all bytes received by its subflows, none out of order.
  const Snapshot tcp = decoded("client-tcp.bin", Protocol::kTcp);
  for (const Connection& connection : snapshot.connections) {
    uint64_t sum = 0;
    for (const Subflow& subflow : tcp.subflows) {
      if (subflow.token == connection.token()) sum += subflow.tcp.data.bytesReceived;
    }
    CHECK(sum == connection.info.data.bytesReceived);
  }
}

TEST(reports_v4_mapped_addresses_as_v4) {
  const Snapshot snapshot = decoded("server-tcp.bin", Protocol::kTcp);
  CHECK(snapshot.subflows.size() == 6);
  const auto mapped = std::count_if(snapshot.subflows.begin(), snapshot.subflows.end(), [](const Subflow& s) {
    return s.family == AF_INET6 && !s.remote.v6 && !s.local.v6;
  });
  CHECK(mapped == 4);
  CHECK(withRemote(snapshot, "10.9.1.1", 747112409).local.port == 7000);
}

TEST(reads_structures_up_to_the_length_of_the_kernel) {
  std::vector<uint8_t> longer(400, 7);
  CHECK(decodeTcpInfo(longer).length == 400);
  std::vector<uint8_t> older(104, 1);  // The layout before Linux 4.1, without byte counters.
  const TcpInfo info = decodeTcpInfo(older);
  CHECK(info.length == 104);
  CHECK(info.data.totalRetrans == 0x01010101 && info.data.bytesReceived == 0);
  CHECK(decodeMptcpInfo(Bytes(older).first(48)).data.bytesReceived == 0);
}

TEST(refuses_every_truncation) {
  for (const char* name : {"client-tcp.bin", "server-mptcp.bin"}) {
    const std::vector<uint8_t> bytes = capture(name);
    const Protocol protocol = std::string(name) == "client-tcp.bin" ? Protocol::kTcp : Protocol::kMptcp;
    std::vector<size_t> ends{0};  // A cut at the end of a message is no error.
    for (size_t at = 0; at < bytes.size();) {
      uint32_t length;
      std::memcpy(&length, bytes.data() + at, sizeof length);
      at += NLMSG_ALIGN(length);
      ends.push_back(at);
    }
    for (size_t length = 0; length < bytes.size(); ++length) {
      if (std::find(ends.begin(), ends.end(), length) != ends.end()) continue;
      Snapshot out;
      CHECK_FAILS("NETLINK", decodeCapture(Bytes(bytes).first(length), protocol, out));
    }
  }
}

TEST(refuses_attributes_that_do_not_fit) {
  const std::vector<uint8_t> good = capture("client-tcp.bin");
  const size_t attribute = sizeof(nlmsghdr) + sizeof(wire::DiagMessage);
  for (const uint16_t length : {0, 1, 3, 60000}) {
    std::vector<uint8_t> bad = good;
    std::memcpy(bad.data() + attribute, &length, sizeof length);
    Snapshot out;
    CHECK_FAILS("NETLINK", decodeCapture(bad, Protocol::kTcp, out));
  }
  std::vector<uint8_t> family = good;
  family[sizeof(nlmsghdr)] = 17;
  Snapshot out;
  CHECK_FAILS("NETLINK", decodeCapture(family, Protocol::kTcp, out));
}

TEST(returns_the_errno_of_a_kernel_error) {
  std::vector<uint8_t> bytes(20);
  const nlmsghdr header{20, NLMSG_ERROR, 0, 9, 0};
  const int32_t error = -ENOENT;
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data() + sizeof header, &error, sizeof error);
  DiagReader reader(bytes);
  DiagItem item;
  CHECK(reader.next(item) && item.kind == DiagItem::Kind::kError && item.error == ENOENT &&
        item.sequence == 9);
  CHECK(!reader.next(item));
  Snapshot out;
  CHECK_FAILS("NETLINK", decodeCapture(bytes, Protocol::kTcp, out));
}

TEST(refuses_subflow_arrays_shorter_than_their_count) {
  std::vector<uint8_t> addresses(3 * sizeof(wire::SubflowInfo));
  std::vector<uint8_t> infos(2 * sizeof(wire::TcpInfo));
  Snapshot out;
  const auto add = [&](size_t count) {
    addSubflows({.addresses = addresses,
                 .addressStride = sizeof(wire::SubflowInfo),
                 .withIds = true,
                 .tcpInfos = infos,
                 .tcpInfoStride = sizeof(wire::TcpInfo),
                 .tcpInfoLength = 280,
                 .count = count},
                Connection{}, out);
  };
  CHECK_FAILS("NETLINK", add(3));
  CHECK_FAILS("NETLINK", add(1));  // Address family 0.
  for (size_t i = 0; i < 3; ++i) addresses[i * sizeof(wire::SubflowInfo) + 8] = AF_INET;
  for (size_t i = 0; i < 3; ++i) addresses[i * sizeof(wire::SubflowInfo) + 8 + 128] = AF_INET;
  add(2);
  CHECK(out.subflows.size() == 2 && out.subflows[0].tcp.length == 280);
}

TEST(decodes_full_info) {
  const std::vector<uint8_t> bytes = capture("client-full-info.bin");
  constexpr size_t kHead = 10;
  constexpr size_t kAddresses = 3 * sizeof(wire::SubflowInfo);
  Snapshot out;
  addSubflows({.addresses = Bytes(bytes).subspan(kHead, kAddresses),
               .addressStride = sizeof(wire::SubflowInfo),
               .withIds = true,
               .tcpInfos = Bytes(bytes).subspan(kHead + kAddresses),
               .tcpInfoStride = sizeof(wire::TcpInfo),
               .tcpInfoLength = 280,
               .count = 3},
              Connection{}, out);
  CHECK(out.subflows.size() == 3);
  CHECK(addressText(out.subflows[0].remote) == "10.9.1.2" && out.subflows[0].remote.port == 7000);
  for (const Subflow& subflow : out.subflows) {
    CHECK(subflow.state == wire::kEstablished && subflow.tcp.length == 280 && subflow.hasCookieSuffix);
  }
  CHECK(out.subflows[0].cookieSuffix != out.subflows[1].cookieSuffix);
}

}  // namespace
}  // namespace mpd
