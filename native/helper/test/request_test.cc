// The parser of requests.
#include "../src/request.h"

#include "../../test/check.h"

namespace {

using namespace mpd::helper;

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
                           "1 keep",
                           "1 limits 8",
                           "1 exec 1 10.0.0.1"}) {
    CHECK(!parseRequest(line));
  }
  CHECK(!parseRequest(std::string("1 remove 1 10.0.0.1\0x", 21)));
  CHECK(!parseRequest(std::string(kMaxLine + 1, '1')));
}

TEST(helper_splits_lines_and_drops_long_ones) {
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

TEST(subflow_requests_accept_only_their_grammar) {
  const auto create = parseRequest("7 subflow-create 4294967295 255 fd00::1 3 9 fd00::2 65535 on");
  CHECK(create && create->verb == Verb::kSubflowCreate && create->token == 4294967295u && create->id == 255);
  CHECK(create->remoteId == 9 && create->remote.port == 65535 && create->address.port == 0 && create->on);
  CHECK(parseRequest("1 subflow-destroy 1" + std::string(" 10.0.1.2 40000 10.9.0.1 443"))->verb ==
        Verb::kSubflowDestroy);
  CHECK(!parseRequest("1 subflow-backup 1" + std::string(" 10.0.1.2 40000 10.9.0.1 443") + " off")->on);
  const std::string longest = "4294967295 subflow-create 4294967295 255 " +
                              std::string("1111:1111:1111:1111:1111:1111:111.111.111.111 2147483647 255 ") +
                              "2222:2222:2222:2222:2222:2222:222.222.222.222 65535 off";
  CHECK(longest.size() <= kMaxLine && parseRequest(longest));
  for (const char* line : {"1 connections 5",
                           "1 events on",
                           "1 address-remove 1",
                           "1 address-remove 1 256",
                           "1 address-remove 1 1 1",
                           "1 subflow-create 1 0 10.0.0.1 0 0 10.0.0.2 80 on",
                           "1 subflow-create 1 1 10.0.0.1 0 0 10.0.0.2 0 on",
                           "1 subflow-create 1 1 10.0.0.1 0 256 10.0.0.2 80 on",
                           "1 subflow-create 1 1 10.0.0.1 0 0 fd00::2 80 on",
                           "1 subflow-create 1 1 0.0.0.0 0 0 10.0.0.2 80 on",
                           "1 subflow-create 1 1 10.0.0.1 0 0 :: 80 on",
                           "1 subflow-create 1 1 10.0.0.1 0 0 10.0.0.2 80",
                           "1 subflow-create 1 1 10.0.0.1 0 0 10.0.0.2 80 maybe",
                           "1 subflow-create 1 1 10.0.0.1 -1 0 10.0.0.2 80 on",
                           "1 subflow-create 4294967296 1 10.0.0.1 0 0 10.0.0.2 80 on",
                           "1 subflow-create 0x10 1 10.0.0.1 0 0 10.0.0.2 80 on",
                           "1 subflow-create 1 1 10.0.0.1 0 0 10.0.0.2 80 on on",
                           "1 subflow-destroy 1 10.0.0.1 0 10.0.0.2 80",
                           "1 subflow-destroy 1 10.0.0.1 65536 10.0.0.2 80",
                           "1 subflow-destroy 1 10.0.0.1 80 10.0.0.2 80 now",
                           "1 subflow-backup 1 10.0.0.1 80 10.0.0.2 80",
                           "1 subflow-announce 1 1 10.0.0.1 80"}) {
    CHECK(!parseRequest(line));
  }
}
