#include "../addon/filter.h"

#include <cstring>
#include <random>

#include "../addon/address.h"
#include "../addon/decode.h"
#include "check.h"

namespace mpd {
namespace {

Endpoint endpoint(const char* address, uint16_t port) {
  return *parseAddress(address, port);
}

/** The kernel's evaluation of the bytecode (inet_diag_bc_run), for the two operations used by the addon. */
bool kernelPasses(const std::vector<uint8_t>& code, const Socket& socket) {
  int64_t left = static_cast<int64_t>(code.size());
  size_t at = 0;
  while (left > 0) {
    const uint8_t operation = code[at];
    const uint8_t yes = code[at + 1];
    uint16_t no;
    std::memcpy(&no, &code[at + 2], sizeof no);
    bool matches = false;
    if (operation == wire::kBytecodeRemote) {
      int32_t port;
      std::memcpy(&port, &code[at + 8], sizeof port);
      const size_t bytes = code[at + 5] / 8;
      matches = (code[at + 4] == AF_INET6) == socket.remote.v6 &&
                (port == -1 || port == socket.remote.port) &&
                std::memcmp(&code[at + 12], socket.remote.address.data(), bytes) == 0;
    }
    left -= matches ? yes : no;
    at += matches ? yes : no;
  }
  return left == 0;
}

TEST(bytecode_and_user_space_agree) {
  std::mt19937 random(1);
  const char* addresses[] = {"10.0.0.1", "10.0.0.2", "fd00::1", "fd00::2", "::ffff:10.0.0.1"};
  const auto any = [&] { return endpoint(addresses[random() % 5], static_cast<uint16_t>(random() % 3)); };
  for (int round = 0; round < 2000; ++round) {
    Filter filter;
    const size_t entries = 1 + random() % kMaxFilterEntries;
    for (size_t i = 0; i < entries; ++i) filter.remotes.push_back(any());
    if (round % 2 == 0) filter.remotes.resize(1 + random() % 2);
    Socket socket;
    socket.remote = any();
    CHECK(kernelPasses(remoteBytecode(filter.remotes), socket) == filter.passes(socket));
  }
}

TEST(an_empty_filter_passes_everything) {
  CHECK(remoteBytecode({}).empty());
  CHECK(Filter{}.passes(Socket{}));
}

Snapshot recorded(Protocol protocol) {
  Snapshot out;
  decodeCapture(test::capture(protocol == Protocol::kTcp ? "client-tcp.bin" : "client-mptcp.bin"), protocol,
                out);
  return out;
}

TEST(a_connection_includes_its_subflows_to_other_addresses) {
  Filter filter;
  filter.remotes.push_back(endpoint("10.9.1.2", 7000));
  std::vector<Connection> passed;
  for (const Connection& connection : recorded(Protocol::kMptcp).connections) {
    if (filter.passes(connection)) passed.push_back(connection);
  }
  CHECK(passed.size() == 1);
  SubflowSorter sorter(filter, passed);
  size_t kept = 0;
  size_t elsewhere = 0;
  for (const Subflow& subflow : recorded(Protocol::kTcp).subflows) {
    if (!sorter.keeps(subflow)) continue;
    ++kept;
    elsewhere += addressText(subflow.remote) == "10.9.2.2";
  }
  sorter.finish();
  CHECK(kept == 3 && elsewhere == 1);
}

TEST(withheld_ulp_information_is_an_error_not_an_empty_answer) {
  const Filter filter;
  const std::vector<Connection> connections = recorded(Protocol::kMptcp).connections;
  SubflowSorter sorter(filter, connections);
  for (Subflow subflow : recorded(Protocol::kTcp).subflows) {
    subflow.hasUlp = subflow.hasToken = false;  // The answer before Linux 6.15 without CAP_NET_ADMIN.
    CHECK(!sorter.keeps(subflow));
  }
  CHECK_FAILS("ULP_INFO_DENIED", sorter.finish());
}

TEST(a_subflow_that_ends_without_ulp_information_does_not_count_as_withheld) {
  const Filter filter;
  const std::vector<Connection> connections = recorded(Protocol::kMptcp).connections;
  SubflowSorter sorter(filter, connections);
  for (Subflow subflow : recorded(Protocol::kTcp).subflows) {
    subflow.hasUlp = subflow.hasToken = false;
    subflow.state = wire::kCloseWait;
    CHECK(!sorter.keeps(subflow));
  }
  sorter.finish();
}

TEST(unrelated_plain_sockets_do_not_count_as_withheld) {
  Filter filter;
  filter.includePlainTcp = true;
  const std::vector<Connection> connections = recorded(Protocol::kMptcp).connections;
  SubflowSorter sorter(filter, connections);
  Subflow plain;
  plain.remote = endpoint("192.0.2.1", 80);
  CHECK(sorter.keeps(plain));
  sorter.finish();
}

TEST(filters_by_owner) {
  Filter filter;
  filter.uids = {1000, 1001};
  Socket socket;
  socket.uid = 1001;
  CHECK(filter.passes(socket));
  socket.uid = 0;
  CHECK(!filter.passes(socket));
}

}  // namespace
}  // namespace mpd
