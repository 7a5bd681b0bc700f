#include "command.h"
#include "check.h"
#include "json_line.h"

using namespace mpd::link;

namespace {

/// The field for which a line is refused; "accepted" otherwise.
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
  CHECK_EQUAL(config.directions[0].settings.rateBps, 5'000'000u);
  CHECK_EQUAL(config.directions[1].settings.rateBps, 1'000'000u);
  CHECK_EQUAL(config.directions[1].settings.delayNs, 10'000'000u);
  CHECK_EQUAL(config.directions[0].settings.loss.good, 0.01);
  CHECK_EQUAL(config.directions[1].settings.loss.good, 0.0);
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
  CHECK_EQUAL(refusedField(kGood + " target_us=0"), "target_us");
  CHECK_EQUAL(refusedField(kGood + " ecn=yes"), "ecn");
  for (const char* value : {"ge", "ge:0.1", "ge:0.1:2", "ge:1:1:1:1:1", "0.1:0.1"}) {
    CHECK_EQUAL(refusedField(kGood + " loss=" + value), "loss");
  }
  for (const char* value : {"", "5", "uniform", "normal:x", "uniform:5:sometimes", "uniform:99999999"}) {
    CHECK_EQUAL(refusedField(kGood + " jitter=" + value), "jitter");
  }
  for (const char* value : {"", "5", "5+", "5+0", "5+5,9+1", "5+5/9", "5+5/20/20", "-5+5", "5+5,"}) {
    CHECK_EQUAL(refusedField(kGood + " outages.ba=" + value), "outages.ba");
  }
  CHECK_EQUAL(refusedField(kGood + " trace=t"), "rate");
  for (const char* value : {"", "a/b", "t:twice"}) {
    CHECK_EQUAL(refusedField(std::string("set p trace=") + value), "trace");
  }
  for (const char* step : {"", "5", "1000:-1", "99:1000", "1000:1000:x", "1000:1000:1:1"}) {
    CHECK_EQUAL(refusedField(std::string("trace t ") + step), "step");
  }
  CHECK_EQUAL(refusedField("set p"), "set");
  CHECK_EQUAL(refusedField("set p up down"), "state");
  CHECK_EQUAL(refusedField("set p queue_bytes=1"), "queue_bytes");
  CHECK_EQUAL(refusedField("stats now"), "command");
  CHECK_EQUAL(refusedField("stats_interval_ms x"), "stats_interval_ms");
}

TEST("a middlebox is set by fields of its own, all of which may end") {
  const AddLink add = std::get<AddLink>(
      parseCommand(kGood + " strip_mp_capable=1 strip_mp_join=0 nat=fd00::9 reset_after_bytes=5000"));
  const MiddleboxChange& box = add.start.middlebox;
  CHECK(*box.stripMpCapable);
  CHECK(!*box.stripMpJoin);
  CHECK(!box.dropAddAddr.has_value());
  CHECK((*box.nat)->isIpv6);
  CHECK_EQUAL(**box.resetAfterBytes, 5'000u);
  const SetLink set = std::get<SetLink>(parseCommand("set p1 nat=- reset_after_bytes=- drop_add_addr=1"));
  CHECK(set.middlebox.nat && !*set.middlebox.nat);
  CHECK(set.middlebox.resetAfterBytes && !*set.middlebox.resetAfterBytes);
  CHECK_EQUAL(refusedField("set p1 nat=10.0.0"), "nat");
  CHECK_EQUAL(refusedField("set p1 nat.ab=10.0.0.1"), "nat.ab");
  CHECK_EQUAL(refusedField("set p1 strip_mp_join=yes"), "strip_mp_join");
  CHECK_EQUAL(refusedField("set p1 reset_after_bytes=0"), "reset_after_bytes");
}

TEST("a rate may be none") {
  const SetLink set = std::get<SetLink>(parseCommand("set p1 rate.ab=- rate.ba=64000"));
  CHECK_EQUAL(*set.changes[0].rateBps, kUnlimitedBps);
  CHECK_EQUAL(*set.changes[1].rateBps, 64'000u);
}

TEST("set changes a state and single directions") {
  const SetLink set = std::get<SetLink>(parseCommand("set p1 blackhole rate.ba=64000 loss=1"));
  CHECK(set.state == LinkState::kBlackhole);
  CHECK(!set.changes[0].rateBps.has_value());
  CHECK_EQUAL(*set.changes[1].rateBps, 64'000u);
  CHECK_EQUAL(set.changes[0].loss->good, 1.0);
}

TEST("JSON lines stay valid whatever the text") {
  JsonLine json;
  json.open("").text("a", "q\"b\\\n\xff").number("n", 5).ratio("r", 0.01);
  json.open("l", '[').open("").close().open("").close().close(']').close();
  CHECK_EQUAL(json.str(), R"({"a":"q\"b\\\u000a\u00ff","n":5,"r":0.01,"l":[{},{}]})");
}

TEST("a link line may choose its queue, its losses and its schedule by direction") {
  const AddLink add = std::get<AddLink>(parseCommand(
      "link p a.dev=x b.dev=y rate.ba=5000000 trace.ab=lte:once queue=fq_pie queue.ab=codel target_us=5000 "
      "queue_packets=200 ecn=1 loss.ba=ge:0.01:0.3 jitter=normal:2000:reorder outages.ba=5+2,10+1/20"));
  const DirectionConfig* const directions = add.config.directions;
  CHECK(directions[0].queue.kind == QueueKind::kCodel);
  CHECK(directions[1].queue.kind == QueueKind::kFqPie);
  CHECK_EQUAL(directions[1].queue.timeNs(QueueSetting::kTarget), 5'000'000u);
  CHECK_EQUAL(*directions[0].queue.limitPackets, 200u);
  CHECK_EQUAL(directions[1].queue.value(QueueSetting::kEcn), 1.0);
  CHECK_EQUAL(directions[1].queue.timeNs(QueueSetting::kUpdate), 15'000'000u);
  CHECK(directions[1].settings.loss.hasBursts);
  CHECK(!directions[0].settings.loss.hasBursts);
  CHECK(directions[0].settings.jitter.mayReorder);
  CHECK_EQUAL(directions[0].settings.jitter.spreadNs, 2'000'000u);
  CHECK_EQUAL(add.start.changes[0].trace->name, "lte");
  CHECK(!add.start.changes[0].trace->loops);
  CHECK(!add.start.changes[1].trace.has_value());
  CHECK(add.start.changes[1].outages->isOut(25'500));
  CHECK(!add.start.changes[0].outages.has_value());
}

TEST("a trace line carries steps with and without a delay") {
  const AppendTrace append = std::get<AppendTrace>(parseCommand("trace lte 1000:5000000 2000:0:40000"));
  CHECK_EQUAL(append.name, "lte");
  CHECK_EQUAL(append.steps.size(), 2u);
  CHECK_EQUAL(append.steps[0].rateBps, 5'000'000u);
  CHECK(!append.steps[0].delayNs.has_value());
  CHECK_EQUAL(append.steps[1].durationNs, 2'000'000u);
  CHECK_EQUAL(*append.steps[1].delayNs, 40'000'000u);
}
