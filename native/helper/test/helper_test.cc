// The policy against an in-memory kernel.
#include <algorithm>
#include <random>

#include "../../test/check.h"
#include "../src/controller.h"
#include "fake_kernel.h"

namespace {

using namespace mpd;
using namespace mpd::helper;

struct Setting {
  FakeKernel kernel;
  Endpoint mine = address("10.0.1.2"), theirs = address("10.0.2.2"), shared = address("10.0.3.2");
  Endpoint bare = address("fd00::1"), unused = address("10.0.4.2"), signals = address("10.0.5.2");
  Use anywhere;
  std::vector<Change> reported;
  bool guarded = true;
  Controller controller;
  explicit Setting(bool lends = false) : controller(kernel, options(lends)) {
    kernel.endpoints = {{1, mine, kFlagSubflow, 3},
                        {2, theirs, kFlagSubflow, 3},
                        {3, shared, kFlagSubflow, 0},
                        {4, signals, kFlagSignal | kFlagSubflow, 3}};
    anywhere.callerAnywhere = true;
  }
  ControllerOptions options(bool lends) {
    ControllerOptions out;
    out.useOf = [this](const Endpoint& at) {
      Use use = anywhere;
      use.caller = at == mine || at == shared || at == bare || at == signals;
      use.others = at == theirs || at == shared;
      return use;
    };
    out.isLocal = [](const Endpoint& at) { return at != address("10.9.9.9"); };
    out.lends = lends;
    out.onChanges = [this](const std::vector<Change>& changes) {
      if (!guarded) throw Failure("failed", "no guardian");
      reported = changes;
    };
    return out;
  }
  std::string ask(const std::string& line) {
    const auto request = parseRequest(line);
    return request ? controller.handle(*request) : "malformed";
  }
  bool done(const std::string& line) { return ask(line).ends_with(" ok\n"); }
  bool refused(const std::string& line, const std::string& code) {
    return ask(line).find(" error " + code + " ") != std::string::npos;
  }
  bool denied(const std::string& line) { return refused(line, "denied"); }
  bool foreign(const std::string& line) { return refused(line, "foreign"); }
  std::vector<PmEndpoint> sorted() {
    std::ranges::sort(kernel.endpoints, {}, &PmEndpoint::id);
    return kernel.endpoints;
  }
};

}  // namespace

TEST(helper_leaves_foreign_endpoints_unchanged) {
  Setting s;
  for (const char* at : {"1 10.0.1.2", "2 10.0.2.2", "3 10.0.3.2", "4 10.0.5.2"}) {
    CHECK(s.foreign(std::string("1 backup ") + at + " on"));
    CHECK(s.foreign(std::string("1 backup ") + at + " off"));
    CHECK(s.foreign(std::string("1 remove ") + at));
  }
  CHECK(s.refused("1 add 9 10.0.1.2 3 2", "exists"));
  CHECK(s.refused("1 add 2 fd00::1 3 2", "exists"));
  CHECK(s.kernel.changes == 0 && s.reported.empty());
}

TEST(helper_adds_plain_endpoints_that_concern_the_caller_alone) {
  Setting s;
  for (const char* flags : {"1", "3", "8", "10", "16"}) {
    CHECK(s.denied(std::string("1 add 9 fd00::1 3 ") + flags));  // signal, fullmesh, implicit
  }
  CHECK(s.refused("1 add 9 fd00::1 4 2", "missing"));   // No such interface.
  CHECK(s.refused("1 add 9 10.9.9.9 3 2", "missing"));  // Not an address of this machine.
  CHECK(s.refused("1 add 9 127.0.0.1 3 2", "missing"));
  CHECK(s.refused("1 add 9 ::1 3 2", "missing"));
  // A subflow from "any" address leaves over whichever network the routes name.
  for (const char* any : {"0.0.0.0", "::ffff:0.0.0.0", "::"}) {
    CHECK(s.refused(std::string("1 add 9 ") + any + " 3 2", "missing"));
  }
  CHECK(s.refused("1 add 9 fe80::1 3 2", "missing"));
  s.anywhere.callerAnywhere = false;
  CHECK(s.denied("1 add 9 10.0.4.2 3 2"));
  s.anywhere = {false, false, true, true};
  CHECK(s.denied("1 add 9 10.0.4.2 3 2"));
  CHECK(s.done("1 add 9 fd00::1 3 2"));
  s.anywhere.othersAnywhere = false;
  CHECK(s.done("1 add 10 10.0.4.2 3 2"));
  CHECK(s.done("1 backup 10 10.0.4.2 on"));
  CHECK(s.refused("1 backup 9 10.0.4.2 off", "missing"));
}

TEST(helper_adds_an_endpoint_again_only_for_a_user_with_a_connection) {
  Setting s;
  bool local = true;
  Use none;
  ControllerOptions options = s.options(false);
  options.isLocal = [&](const Endpoint&) { return local; };
  options.useOf = [&, before = options.useOf](const Endpoint& at) {
    return s.anywhere.callerAnywhere ? before(at) : none;
  };
  Controller controller(s.kernel, options);
  const auto ask = [&](const std::string& line) { return controller.handle(*parseRequest(line)); };
  CHECK(ask("1 add 9 10.0.4.2 3 2").ends_with("ok\n"));
  CHECK(ask("2 remove 9 10.0.4.2").ends_with("ok\n"));
  CHECK(ask("3 remove 0 10.0.1.2").ends_with("ok\n"));
  std::erase_if(s.kernel.endpoints, [&](const PmEndpoint& item) { return item.address == s.mine; });
  // Another user's connection elsewhere does not prevent a player from opening its path again.
  s.anywhere.othersAnywhere = none.othersAnywhere = true;
  local = false;
  CHECK(ask("4 add 9 10.0.4.2 3 2").starts_with("4 error missing"));
  local = true;
  s.anywhere.callerAnywhere = false;
  CHECK(ask("5 add 9 10.0.4.2 3 2").starts_with("5 error denied"));
  CHECK(ask("6 add 9 10.0.1.2 3 2").starts_with("6 error denied"));
  s.anywhere.callerAnywhere = true;
  CHECK(ask("7 add 9 10.0.4.2 3 2").ends_with("ok\n"));
  CHECK(ask("8 add 10 10.0.1.2 3 2").ends_with("ok\n"));
}

TEST(helper_restores_everything) {
  Setting s;
  const auto found = s.kernel.endpoints;
  CHECK(s.done("1 add 9 fd00::1 3 2"));
  CHECK(s.done("2 backup 9 fd00::1 on"));
  CHECK(s.done("3 add 8 10.0.4.2 3 2"));
  CHECK(s.done("4 remove 9 fd00::1"));
  CHECK(s.done("5 add 9 fd00::1 3 6"));
  CHECK(s.kernel.endpoints.size() == found.size() + 2);
  s.controller.restore();
  CHECK(s.sorted() == found && s.reported.empty());
}

TEST(helper_sets_the_backup_flag_of_lent_endpoints) {
  Setting s(true);
  const auto found = s.kernel.endpoints;
  CHECK(s.done("1 backup 1 10.0.1.2 on"));
  CHECK(s.kernel.endpoints[0].flags == (kFlagSubflow | kFlagBackup));
  CHECK(s.foreign("1 remove 1 10.0.1.2"));
  CHECK(s.denied("1 backup 2 10.0.2.2 on"));
  CHECK(s.denied("1 backup 3 10.0.3.2 on"));
  CHECK(s.foreign("1 backup 4 10.0.5.2 on"));  // signal
  s.kernel.endpoints[1] = {2, s.mine, kFlagSubflow | kFlagFullmesh, 3};
  std::swap(s.kernel.endpoints[0].address, s.kernel.endpoints[1].address);
  s.kernel.endpoints[0].address = s.theirs;
  CHECK(s.foreign("1 backup 2 10.0.1.2 on"));  // fullmesh
  s.kernel.endpoints = found;
  s.kernel.endpoints[0].flags |= kFlagBackup;
  s.controller.restore();
  CHECK(s.kernel.endpoints == found);
  // A backup of the administrator stays one.
  s.kernel.endpoints[0].flags |= kFlagBackup;
  CHECK(s.foreign("1 backup 1 10.0.1.2 off"));
}

TEST(helper_keeps_later_changes_of_others) {
  Setting s;
  CHECK(s.done("1 add 9 fd00::1 3 2"));
  s.kernel.endpoints.back().flags = kFlagFullmesh;
  CHECK(s.foreign("2 remove 9 fd00::1"));
  CHECK(s.foreign("2 backup 9 fd00::1 on"));
  s.controller.restore();
  CHECK(s.kernel.endpoints.back().flags == kFlagFullmesh);
}

TEST(helper_changes_nothing_without_a_guardian) {
  Setting s;
  s.guarded = false;
  CHECK(s.refused("1 add 9 fd00::1 3 2", "failed"));
  CHECK(s.kernel.changes == 0);
}

TEST(helper_checks_again_after_the_report) {
  Setting s;
  bool others = false;
  bool intrudes = false;
  ControllerOptions options = s.options(true);
  options.useOf = [&, before = options.useOf](const Endpoint& at) {
    Use use = before(at);
    use.others |= others;
    return use;
  };
  options.onChanges = [&, before = options.onChanges](const std::vector<Change>& changes) {
    before(changes);
    others = intrudes;
  };
  Controller controller(s.kernel, options);
  const auto ask = [&](const char* line) { return controller.handle(*parseRequest(line)); };
  CHECK(ask("1 add 9 fd00::1 3 2").ends_with("ok\n"));
  const auto made = s.reported;
  intrudes = true;
  for (const char* line :
       {"2 remove 9 fd00::1", "2 backup 9 fd00::1 on", "2 add 8 10.0.4.2 3 2", "2 backup 1 10.0.1.2 on"}) {
    others = false;
    CHECK(ask(line).starts_with("2 error denied"));
    CHECK(s.kernel.changes == 1 && s.reported.size() == made.size());
  }
  // A refused request leaves no record that would permit another one.
  intrudes = others = false;
  s.anywhere.othersAnywhere = true;
  CHECK(ask("3 add 8 10.0.4.2 3 2").starts_with("3 error denied"));
  CHECK(ask("4 remove 9 fd00::1").ends_with("ok\n"));
}

TEST(helper_still_removes_its_endpoint_after_a_report_failed) {
  Setting s;
  CHECK(s.done("1 add 9 fd00::1 3 2"));
  s.guarded = false;
  CHECK(s.refused("2 remove 9 fd00::1", "failed"));
  s.controller.restore();
  CHECK(s.kernel.endpoints.size() == 4);
}

TEST(helper_restores_the_changes_of_an_ended_process) {
  Setting s;
  CHECK(s.done("1 add 9 fd00::1 3 2"));
  const std::vector<Change> left = s.reported;
  Controller next(s.kernel, s.options(false));
  next.adopt(left);
  next.restore();
  CHECK(s.kernel.endpoints.size() == 4);
}

TEST(helper_keeps_its_endpoint_without_backup_if_its_users_are_unknown) {
  Setting s;
  bool blind = false;
  ControllerOptions options = s.options(false);
  options.useOf = [&, before = options.useOf](const Endpoint& at) {
    if (blind) throw Failure("NETLINK", "no descriptors");
    return before(at);
  };
  Controller controller(s.kernel, options);
  CHECK(controller.handle(*parseRequest("1 add 9 fd00::1 3 6")).ends_with("ok\n"));
  blind = true;
  controller.restore();
  CHECK(s.kernel.endpoints.size() == 5 && s.kernel.endpoints.back().flags == kFlagSubflow);
}

TEST(helper_limits_the_changes_of_one_caller) {
  Setting s;
  size_t made = 0;
  for (size_t n = 0; n < Controller::kMaxChanges + 10; ++n) {
    made += s.done("1 add " + std::to_string(10 + n) + " fd00::" + std::to_string(100 + n) + " 3 2");
  }
  CHECK(made == Controller::kMaxChanges);
  // A removed endpoint frees its place.
  CHECK(s.done("1 remove 10 fd00::100"));
  CHECK(s.done("1 add 99 fd00::999 3 2"));
  s.controller.restore();
  CHECK(s.kernel.endpoints.size() == 4);
}

TEST(helper_survives_random_lines) {
  Setting s;
  std::mt19937 random(7);
  const std::vector<std::string> words{"1",   "list",     "backup",  "remove", "add",        "restore", "on",
                                       "off", "0",        "2",       "3",      "10.0.1.2",   "9",       "255",
                                       "",    "10.0.5.2", "fd00::1", "-1",     "99999999999"};
  for (int round = 0; round < 20'000; ++round) {
    std::string line = "1";
    for (unsigned n = random() % 6; n > 0; --n) line += " " + words[random() % words.size()];
    s.ask(line);
    bool untouched = false;
    for (const PmEndpoint& item : s.kernel.endpoints)
      untouched |= item == PmEndpoint{4, s.signals, kFlagSignal | kFlagSubflow, 3};
    CHECK(untouched);
  }
}
