// The policy on a kernel of its own, and the parser.
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
  Endpoint bare = address("fd00::1");
  Controller controller{kernel, [this](const Endpoint& at) {
                          return Use{at == mine || at == shared || at == bare, at == theirs || at == shared};
                        }};
  Setting() {
    kernel.endpoints = {
        {1, mine, kFlagSubflow, 3}, {2, theirs, kFlagSubflow, 3}, {3, shared, kFlagSubflow, 0}};
  }
  std::string ask(const std::string& line) {
    const auto request = parseRequest(line);
    return request ? controller.handle(*request) : "malformed";
  }
  bool done(const std::string& line) { return ask(line).ends_with(" ok\n"); }
  bool denied(const std::string& line) { return ask(line).find(" error denied ") != std::string::npos; }
};

}  // namespace

TEST(helper_accepts_only_its_grammar) {
  CHECK(parseRequest("4294967295 list")->sequence == 4294967295u);
  CHECK(parseRequest("1 backup 255 fd00::1 off")->verb == Verb::kBackup);
  CHECK(parseRequest("1 add 9 10.0.0.1 2147483647 31")->flags == 31);
  for (const char* line : {"",
                           "list",
                           "1",
                           "1  list",
                           " 1 list",
                           "1 list ",
                           "1 list x",
                           "01 list",
                           "-1 list",
                           "4294967296 list",
                           "1 LIST",
                           "1 backup 1 10.0.0.1",
                           "1 backup 0 10.0.0.1 on",
                           "1 backup 1 10.0.0.1 yes",
                           "1 backup 256 10.0.0.1 on",
                           "1 remove 1 10.0.0",
                           "1 remove 1 wlan0",
                           "1 remove 1 fe80::1%lo",
                           "1 remove 1 10.0.0.1 now",
                           "1 add 1 10.0.0.1 0 32",
                           "1 add 1 10.0.0.1 2147483648 2",
                           "1 add 0 10.0.0.1 0 2",
                           "1 add 1 10.0.0.1 0 2 7",
                           "1 flush",
                           "1 limits 8",
                           "1 exec 1 10.0.0.1"}) {
    CHECK(!parseRequest(line));
  }
  CHECK(!parseRequest(std::string("1 remove 1 10.0.0.1\0x", 21)));
  CHECK(!parseRequest(std::string(kMaxLine + 1, '1')));
}

TEST(helper_cuts_lines_and_forgets_long_ones) {
  LineReader reader;
  std::vector<std::string> lines;
  const auto take = [&](std::optional<std::string_view> line) {
    lines.emplace_back(line ? std::string(*line) : "LONG");
  };
  reader.feed("1 li", take);
  reader.feed("st\n" + std::string(5000, 'x'), take);
  reader.feed("\n\n2 list", take);
  CHECK((lines == std::vector<std::string>{"1 list", "LONG", ""}));
}

TEST(helper_changes_only_what_the_caller_alone_uses) {
  Setting s;
  CHECK(s.done("1 backup 1 10.0.1.2 on"));
  CHECK(s.kernel.endpoints[0].flags == (kFlagSubflow | kFlagBackup));
  const int before = s.kernel.changes;
  for (const char* at : {"2 10.0.2.2", "3 10.0.3.2"}) {
    CHECK(s.denied(std::string("1 backup ") + at + " on"));
    CHECK(s.denied(std::string("1 remove ") + at));
  }
  CHECK(s.denied("1 remove 0 10.0.2.2"));
  CHECK(s.denied("1 add 9 10.9.9.9 3 2"));
  CHECK(s.denied("1 add 9 fd00::1 3 3"));  // signal
  CHECK(s.ask("1 add 9 fd00::1 4 2").find("error missing") != std::string::npos);
  CHECK(s.ask("1 add 2 fd00::1 3 2").find("error exists") != std::string::npos);
  CHECK(s.ask("1 backup 2 10.0.1.2 on").find("error missing") != std::string::npos);
  CHECK(s.kernel.changes == before);
}

TEST(helper_puts_everything_as_found) {
  Setting s;
  const auto found = s.kernel.endpoints;
  CHECK(s.done("1 backup 1 10.0.1.2 on"));
  CHECK(s.done("2 remove 1 10.0.1.2"));
  CHECK(s.done("3 add 9 fd00::1 3 2"));
  CHECK(s.done("4 backup 9 fd00::1 on"));
  s.controller.restore();
  std::ranges::sort(s.kernel.endpoints, {}, &PmEndpoint::id);
  CHECK(s.kernel.endpoints == found);
}

TEST(helper_keeps_what_it_put_back_for_a_player_that_crashed) {
  Setting s;
  const auto found = s.kernel.endpoints;
  CHECK(s.done("1 backup 1 10.0.1.2 on"));
  CHECK(s.done("2 keep"));
  CHECK(s.done("3 remove 1 10.0.1.2"));
  s.controller.restore();
  std::ranges::sort(s.kernel.endpoints, {}, &PmEndpoint::id);
  CHECK(s.kernel.endpoints[0].flags == (kFlagSubflow | kFlagBackup));
  CHECK(s.kernel.endpoints.size() == found.size());
}

TEST(helper_adds_back_only_what_it_removed) {
  Setting s;
  CHECK(s.done("1 remove 1 10.0.1.2"));
  CHECK(s.denied("2 add 1 10.0.1.2 3 10"));
  CHECK(s.denied("3 add 7 10.0.1.2 3 2"));
  CHECK(s.done("4 add 1 10.0.1.2 3 6"));
  CHECK(s.done("5 remove 0 fd00::1"));
}

TEST(helper_respects_what_others_changed_since) {
  Setting s;
  CHECK(s.done("1 backup 1 10.0.1.2 on"));
  s.kernel.endpoints[0].flags = 8 | kFlagBackup;
  s.controller.restore();
  CHECK(s.kernel.endpoints[0].flags == (8 | kFlagBackup));
  CHECK(s.done("2 remove 1 10.0.1.2"));
  s.kernel.endpoints.push_back({77, s.mine, kFlagSubflow, 0});
  s.controller.restore();
  CHECK(s.kernel.endpoints.back().id == 77 && s.kernel.endpoints.size() == 3);
}

TEST(helper_survives_random_lines) {
  Setting s;
  std::mt19937 random(7);
  const std::vector<std::string> words{"1",   "list",     "backup",  "remove", "add",        "restore", "on",
                                       "off", "0",        "2",       "3",      "10.0.1.2",   "9",       "255",
                                       "",    "10.0.2.2", "fd00::1", "-1",     "99999999999"};
  for (int round = 0; round < 20'000; ++round) {
    std::string line = "1";
    for (unsigned n = random() % 6; n > 0; --n) line += " " + words[random() % words.size()];
    s.ask(line);
    bool untouched = false;
    for (const PmEndpoint& item : s.kernel.endpoints)
      untouched |= item == PmEndpoint{2, s.theirs, kFlagSubflow, 3};
    CHECK(untouched);
  }
}
