// Requests about single connections, against connections in memory.
#include <linux/netlink.h>
#include <sys/socket.h>

#include <cstring>
#include <random>

#include "../../test/check.h"
#include "../src/subflow_controller.h"
#include "fake_kernel.h"

namespace {

using namespace mpd;
using namespace mpd::helper;

constexpr uint32_t kMine = 1000, kTheirs = 2000, kNobodys = 3000;

struct World {
  FakeKernel kernel;
  std::vector<OwnConnection> mine;
  int subscriptions = 0;
  /** The last report to the guardian. */
  std::vector<BackupSubflow> reported;
  bool guarded = true;
  /** The kernel does not answer. */
  bool blind = false;
  SubflowController controller{kernel,
                               [this](std::optional<uint32_t> token) {
                                 if (blind) throw Failure("NETLINK", "no descriptors");
                                 std::vector<OwnConnection> out;
                                 for (const OwnConnection& own : mine) {
                                   if (!token || own.connection.token() == *token) out.push_back(own);
                                 }
                                 return out;
                               },
                               [this] { ++subscriptions; },
                               [this](const std::vector<BackupSubflow>& backups) {
                                 if (!guarded) throw Failure("failed", "no guardian");
                                 reported = backups;
                               }};

  World() {
    OwnConnection& own = mine.emplace_back();
    own.connection.info.data.token = kMine;
    own.connection.remote = address("10.9.0.1", 443);
    addSubflow("10.0.1.2", 40000, "10.9.0.1", 443, 0, 0);
  }
  Subflow& addSubflow(const char* local, uint16_t localPort, const char* remote, uint16_t remotePort,
                      uint8_t localId, uint8_t remoteId) {
    Subflow& subflow = mine.front().subflows.emplace_back();
    subflow.family = AF_INET;
    subflow.state = wire::kEstablished;
    subflow.local = address(local, localPort);
    subflow.remote = address(remote, remotePort);
    subflow.localId = localId;
    subflow.hasLocalId = true;
    subflow.remoteId = remoteId;
    return subflow;
  }
  std::string ask(const std::string& line) {
    const auto request = parseRequest(line);
    return request ? controller.handle(*request) : "malformed";
  }
  bool done(const std::string& line) { return ask(line).ends_with(" ok\n"); }
  bool refused(const std::string& line, const char* code) {
    return ask(line).find(std::string(" error ") + code + " ") != std::string::npos;
  }
};

template <typename T>
void attribute(std::vector<uint8_t>& out, uint16_t type, const T& value) {
  const nlattr header{static_cast<uint16_t>(sizeof(nlattr) + sizeof value), type};
  const size_t at = out.size();
  out.resize(at + NLMSG_ALIGN(sizeof header + sizeof value));
  std::memcpy(out.data() + at, &header, sizeof header);
  std::memcpy(out.data() + at + sizeof header, &value, sizeof value);
}

/** An event in the kernel's form: token, remote id, IPv4 remote address and port. */
std::vector<uint8_t> event(uint32_t token, uint8_t remoteId, std::array<uint8_t, 4> remote,
                           std::array<uint8_t, 2> networkPort) {
  std::vector<uint8_t> out;
  attribute(out, 1, token);
  attribute(out, 4, remoteId);
  attribute(out, 7, remote);
  attribute(out, 10, networkPort);
  return out;
}

const std::string kEnds = " 10.0.1.2 40000 10.9.0.1 443";

}  // namespace

TEST(subflow_requests_touch_only_the_callers_connections) {
  World w;
  // Another user's, one without owner, and the caller's own that the kernel no longer lists.
  for (const uint32_t token : {kTheirs, kNobodys, 0u}) {
    const std::string start = "1 subflow-";
    CHECK(w.refused(start + "backup " + std::to_string(token) + kEnds + " on", "denied"));
    CHECK(w.refused("1 address-remove " + std::to_string(token) + " 0", "denied"));
    CHECK(w.refused(start + "destroy " + std::to_string(token) + kEnds, "denied"));
    CHECK(
        w.refused(start + "create " + std::to_string(token) + " 9 10.0.2.2 3 0 10.9.0.1 443 off", "denied"));
  }
  CHECK(w.refused("1 address-remove 1000 9", "missing"));
  CHECK(w.kernel.asked.empty() && w.kernel.removed.empty());
  CHECK(w.done("1 address-remove 1000 0") && w.kernel.removed.front() == std::pair(kMine, uint8_t{0}));
  CHECK(w.ask("5 connections") ==
        "5 connection 1000 10.9.0.1 443\n5 subflow 1000 10.0.1.2 40000 10.9.0.1 443 0 0 1 0\n5 ok\n");
}

TEST(subflow_create_goes_only_to_the_other_end) {
  World w;
  CHECK(w.done("1 subflow-create 1000 9 10.0.2.2 3 0 10.9.0.1 443 on"));
  const SubflowEnds& ends = w.kernel.asked.front().second;
  CHECK(ends.token == kMine && ends.local.id == 9 && ends.local.interfaceIndex == 3);
  CHECK(ends.local.flags == (kFlagSubflow | kFlagBackup) && ends.remote.address == address("10.9.0.1", 443));
  for (const char* remote : {"0 10.9.0.2 443", "0 10.9.0.1 25", "1 10.9.0.1 443"}) {
    CHECK(w.refused(std::string("1 subflow-create 1000 9 10.0.2.2 3 ") + remote + " off", "denied"));
  }
  CHECK(w.refused("1 subflow-create 1000 9 10.0.2.2 4 0 10.9.0.1 443 off", "missing"));
  CHECK(w.refused("1 subflow-create 1000 9 10.0.1.2 3 0 10.9.0.1 443 off", "exists"));
  w.addSubflow("10.0.2.2", 40001, "10.9.0.1", 443, 9, 0);
  CHECK(w.refused("1 subflow-create 1000 9 10.0.3.2 3 0 10.9.0.1 443 off", "exists"));
  for (uint16_t n = 0; w.mine.front().subflows.size() < SubflowController::kMaxSubflows; ++n) {
    w.addSubflow("10.0.2.2", static_cast<uint16_t>(50000 + n), "10.9.0.1", 443, 9, 0);
  }
  CHECK(w.refused("1 subflow-create 1000 10 10.0.3.2 3 0 10.9.0.1 443 off", "failed"));
  CHECK(w.kernel.asked.size() == 1);
}

TEST(subflow_create_accepts_announced_addresses) {
  World w;
  CHECK(w.done("1 events") && w.done("2 events") && w.subscriptions == 1);
  const std::string create = "1 subflow-create 1000 9 10.0.2.2 3 7 10.9.0.2 8443 off";
  CHECK(w.refused(create, "denied"));
  // 8443 in network order.
  const auto announced = event(kMine, 7, {10, 9, 0, 2}, {0x20, 0xfb});
  CHECK(w.controller.hear(kEventAnnounced, announced).starts_with("0 event 6 08000100e8030000"));
  CHECK(w.done(create));
  CHECK(w.refused("1 subflow-create 1000 8 10.0.2.2 3 6 10.9.0.2 8443 off", "denied"));
  CHECK(!w.controller.hear(kEventRemoved, event(kMine, 7, {10, 9, 0, 2}, {0x20, 0xfb})).empty());
  CHECK(w.refused(create, "denied"));
}

TEST(subflow_events_without_a_known_owner_are_reported_as_lost) {
  World w;
  w.blind = true;
  CHECK(w.controller.hear(kEventAnnounced, event(kMine, 7, {10, 9, 0, 2}, {0x20, 0xfb})) == kEventsLost);
  const std::vector<uint8_t> malformed{1, 2, 3};
  CHECK(w.controller.hear(kEventAnnounced, malformed).empty());
}

TEST(subflow_events_of_other_users_are_withheld) {
  World w;
  CHECK(w.controller.hear(kEventAnnounced, event(kTheirs, 7, {10, 9, 0, 2}, {0, 80})).empty());
  CHECK(w.controller.hear(1, event(kMine, 7, {10, 9, 0, 2}, {0, 80})).empty());
  CHECK(w.controller.hear(16, event(kMine, 7, {10, 9, 0, 2}, {0, 80})).empty());
  CHECK(w.controller.hear(kEventSubflowClosed, {}).empty());
  std::vector<uint8_t> huge = event(kMine, 7, {10, 9, 0, 2}, {0, 80});
  while (huge.size() < 400) attribute(huge, 99, uint32_t{1});
  CHECK(w.controller.hear(kEventSubflowClosed, huge).empty());
}

TEST(subflow_announcements_are_bounded) {
  Announcements book;
  const auto hear = [&](uint32_t token, uint8_t id) {
    book.hear({kEventAnnounced, token, true, id, address("10.9.0.2", 80)});
  };
  const auto has = [&](uint32_t token, uint8_t id) {
    return book.has(token, {id, address("10.9.0.2", 80), 0, 0});
  };
  for (uint32_t token = 0; token <= Announcements::kMaxConnections; ++token) hear(token, 1);
  CHECK(!has(0, 1) && has(1, 1));
  for (unsigned id = 1; id <= Announcements::kMaxAddresses + 1; ++id) hear(5, static_cast<uint8_t>(id));
  CHECK(has(5, Announcements::kMaxAddresses) && !has(5, Announcements::kMaxAddresses + 1));
  book.hear({kEventClosed, 5, true, 0, std::nullopt});
  CHECK(!has(5, 1) && has(6, 1));
}

TEST(subflow_backup_is_cleared_at_the_end) {
  World w;
  CHECK(w.refused("1 subflow-backup 1000 10.0.1.2 40001 10.9.0.1 443 on", "missing"));
  CHECK(w.done("1 subflow-backup 1000" + kEnds + " on"));
  CHECK(w.kernel.asked.back().second.local.flags == kFlagBackup);
  w.controller.restore();
  CHECK(w.kernel.asked.size() == 2 && w.kernel.asked.back().second.local.flags == 0);
  w.controller.restore();
  CHECK(w.kernel.asked.size() == 2);
  // One connection that ended meanwhile and one flag that the caller cleared stay unchanged.
  CHECK(w.done("1 subflow-backup 1000" + kEnds + " on"));
  w.mine.front().subflows.front().state = wire::kClose;
  w.controller.restore();
  CHECK(w.kernel.asked.size() == 3);
  w.mine.front().subflows.front().state = wire::kEstablished;
  CHECK(w.done("1 subflow-backup 1000" + kEnds + " on") && w.done("1 subflow-backup 1000" + kEnds + " off"));
  w.controller.restore();
  CHECK(w.kernel.asked.size() == 5);
}

TEST(subflow_backup_is_reported_before_it_is_set) {
  World w;
  w.guarded = false;
  CHECK(w.refused("1 subflow-backup 1000" + kEnds + " on", "failed"));
  CHECK(w.kernel.asked.empty());
  w.guarded = true;
  CHECK(w.done("1 subflow-backup 1000" + kEnds + " on") && w.done("2 subflow-backup 1000" + kEnds + " on"));
  CHECK(w.reported.size() == 1);
  // The process is killed, and the second one takes over.
  World second;
  second.controller.adopt(w.reported);
  second.controller.restore();
  CHECK(second.kernel.asked.size() == 1 && second.kernel.asked.back().second.local.flags == 0);
  CHECK(w.done("3 subflow-backup 1000" + kEnds + " off"));
  CHECK(w.reported.empty());
  CHECK(w.done("4 subflow-backup 1000" + kEnds + " on") && w.reported.size() == 1);
  w.controller.restore();
  CHECK(w.reported.empty());
}

TEST(subflow_destroy_names_sockets_as_the_kernel_does) {
  World w;
  w.mine.front().subflows.front().family = AF_INET6;
  CHECK(w.done("1 subflow-destroy 1000" + kEnds));
  const SubflowEnds& ends = w.kernel.asked.front().second;
  CHECK(ends.mapped && ends.local.address.port == 40000);
  const std::vector<uint8_t> bytes = encodeSubflow(ends);
  const uint8_t mapped[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 0, 1, 2};
  CHECK(std::search(bytes.begin(), bytes.end(), mapped, std::end(mapped)) != bytes.end());
}

TEST(subflow_requests_survive_random_lines_and_foreign_tokens) {
  World w;
  std::mt19937 random(11);
  const std::vector<std::string> words{"connections",
                                       "events",
                                       "subflow-create",
                                       "subflow-destroy",
                                       "subflow-backup",
                                       "address-remove",
                                       "1000",
                                       "2000",
                                       "3000",
                                       "0",
                                       "1",
                                       "9",
                                       "255",
                                       "10.0.1.2",
                                       "10.0.2.2",
                                       "10.9.0.1",
                                       "10.9.0.2",
                                       "fd00::1",
                                       "443",
                                       "40000",
                                       "on",
                                       "off",
                                       "",
                                       "-1",
                                       "99999999999"};
  const std::vector<std::string> shapes{"subflow-create T I A 3 0 A P on", "subflow-destroy T A P A P",
                                        "subflow-backup T A P A P on", "address-remove T I"};
  const auto any = [&](std::initializer_list<const char*> of) {
    return std::string(of.begin()[random() % of.size()]);
  };
  for (int round = 0; round < 20'000; ++round) {
    std::string line = "1";
    if (round % 2 == 0) {
      for (unsigned n = random() % 10; n > 0; --n) line += " " + words[random() % words.size()];
    } else {
      line += " ";
      for (const char letter : shapes[random() % shapes.size()]) {
        if (letter == 'T')
          line += any({"1000", "2000", "3000", "0"});
        else if (letter == 'I')
          line += any({"1", "9", "255", "0"});
        else if (letter == 'A')
          line += any({"10.0.1.2", "10.0.2.2", "10.9.0.1", "10.9.0.2"});
        else if (letter == 'P')
          line += any({"443", "40000", "0"});
        else
          line += letter;
      }
    }
    w.ask(line);
  }
  CHECK(!w.kernel.asked.empty() && !w.kernel.removed.empty());
  for (const auto& [token, id] : w.kernel.removed) CHECK(token == kMine && id == 0);
  for (const auto& [word, ends] : w.kernel.asked) {
    CHECK(ends.token == kMine && ends.remote.address == address("10.9.0.1", 443));
    if (word != "create") CHECK(ends.local.address == address("10.0.1.2", 40000));
  }
}
