#include "command.hpp"
#include "check.hpp"
#include "json_line.hpp"

using namespace mpd::link;

namespace {

/// The field an unacceptable line is refused for; "accepted" when it is not.
std::string refusedField(std::string_view line) {
  try {
    parseCommand(line);
    return "accepted";
  } catch (const CommandError& error) {
    return error.field();
  }
}

const std::string kGood = "link p1 a.dev=p1 b.dev=p1s rate=5000000";

}  // namespace

TEST("a full link line is understood") {
  const Command command = parseCommand(
      "link path1 a.netns=- a.dev=path1 a.addr=10.77.1.2/24 b.netns=/run/netns/server b.dev=p1 "
      "b.addr=fd00::1/64 rate=5000000 rate.ba=1000000 delay_us=10000 loss.ab=0.01 queue=droptail "
      "queue_bytes=60000 seed=42 mtu=1400");
  const LinkConfig& config = std::get<AddLink>(command).config;
  CHECK_EQUAL(config.name, "path1");
  CHECK_EQUAL(config.ends[0].netns, "");
  CHECK_EQUAL(config.ends[1].netns, "/run/netns/server");
  CHECK_EQUAL(int{config.ends[0].address->prefixLength}, 24);
  CHECK_EQUAL(config.ends[1].address->text, "fd00::1");
  CHECK_EQUAL(config.directions[0].rateBps, 5'000'000u);
  CHECK_EQUAL(config.directions[1].rateBps, 1'000'000u);
  CHECK_EQUAL(config.directions[1].delayNs, 10'000'000u);
  CHECK_EQUAL(config.directions[0].loss, 0.01);
  CHECK_EQUAL(config.directions[1].loss, 0.0);
  CHECK_EQUAL(config.seed, 42u);
  CHECK_EQUAL(config.mtu, 1'400u);
}

TEST("a bad field is refused by name") {
  CHECK_EQUAL(refusedField(kGood), "accepted");
  CHECK_EQUAL(refusedField(""), "command");
  CHECK_EQUAL(refusedField("frobnicate"), "command");
  CHECK_EQUAL(refusedField("link"), "name");
  CHECK_EQUAL(refusedField("link a/b a.dev=x b.dev=y rate=5000"), "name");
  CHECK_EQUAL(refusedField("link p b.dev=y rate=5000"), "a.dev");
  CHECK_EQUAL(refusedField("link p a.dev=x b.dev=y"), "rate");
  CHECK_EQUAL(refusedField("link p a.dev=waytoolonganame1 b.dev=y rate=5000"), "a.dev");
  for (const char* value : {"", "0", "-1", "5e6", "5000000bit", "99999999999999999999999"}) {
    CHECK_EQUAL(refusedField(kGood + " rate.ab=" + value), "rate.ab");
  }
  CHECK_EQUAL(refusedField(kGood + " delay_us=10000001"), "delay_us");
  for (const char* value : {"1.5", "-0.1", "nan", "inf", "1%", "0.1x"}) {
    CHECK_EQUAL(refusedField(kGood + " loss=" + value), "loss");
  }
  CHECK_EQUAL(refusedField(kGood + " queue=red"), "queue");
  CHECK_EQUAL(refusedField(kGood + " queue_bytes=1000"), "queue_bytes");
  CHECK_EQUAL(refusedField(kGood + " rate=1000000"), "rate");
  CHECK_EQUAL(refusedField(kGood + " colour=red"), "colour");
  CHECK_EQUAL(refusedField(kGood + " noise"), "noise");
  CHECK_EQUAL(refusedField(kGood + " a.addr=10.0.0.1"), "a.addr");
  CHECK_EQUAL(refusedField(kGood + " a.addr=10.0.0.1/33"), "a.addr");
  CHECK_EQUAL(refusedField(kGood + " a.addr=10.0.0/24"), "a.addr");
  CHECK_EQUAL(refusedField(kGood + " b.netns=server"), "b.netns");
  CHECK_EQUAL(refusedField("set p"), "set");
  CHECK_EQUAL(refusedField("set p up down"), "state");
  CHECK_EQUAL(refusedField("set p queue_bytes=1"), "queue_bytes");
  CHECK_EQUAL(refusedField("stats now"), "command");
  CHECK_EQUAL(refusedField("stats_interval_ms x"), "stats_interval_ms");
}

TEST("set changes a state and single directions") {
  const SetLink set = std::get<SetLink>(parseCommand("set p1 blackhole rate.ba=64000 loss=1"));
  CHECK(set.state == LinkState::kBlackhole);
  CHECK(!set.changes[0].rateBps.has_value());
  CHECK_EQUAL(*set.changes[1].rateBps, 64'000u);
  CHECK_EQUAL(*set.changes[0].loss, 1.0);
}

TEST("JSON lines stay valid whatever the text") {
  JsonLine json;
  json.open("").text("a", "q\"b\\\n\xff").number("n", 5).ratio("r", 0.01);
  json.open("l", '[').open("").close().open("").close().close(']').close();
  CHECK_EQUAL(json.str(), R"({"a":"q\"b\\\u000a\u00ff","n":5,"r":0.01,"l":[{},{}]})");
}
